// Codes of the server (docs/protocol.md). Made from the Rust side by `cargo xtask types`: do not edit.

/** Why a connection ends. */
export const BYE_CODES = ["stopping", "replaced", "storage", "slow", "flood", "too_long", "not_text", "bad_text", "protocol", "no_hello", "bad_hello", "bad_version", "no_guest", "no_table", "too_many", "silent", "dismissed"] as const;
/** Why a message or an HTTP request is refused by the server itself. */
export const API_CODES = ["bad_name", "bad_request", "foreign_origin", "method_not_allowed", "no_guest", "not_found", "not_json", "stopping", "storage", "too_fast", "too_long", "too_many", "too_slow", "upgrade_required"] as const;
