/** The table as WebAssembly, made by the build; see vite.config.ts. */
declare module 'virtual:unum-module' {
  /** Its address; `null` if the page was built without it. */
  export const moduleUrl: string | null;
}
