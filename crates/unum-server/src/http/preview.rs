//! What other programs show of an invite link: Open Graph tags in the page.
//!
//! Everybody who receives or relays a link sees its preview. So it reveals nothing about a private table, not even
//! whether it exists; for a public one it shows what the list of public tables shows anyway.

use unum_protocol::rest::Listing;
use unum_rules::rulebook;
use unum_rules::text::escape_html;

/// The picture, 1200 by 630 pixels.
pub(super) const PICTURE: &str = "/icons/preview.png";

/// The page with tags about a link.
pub(super) fn with_tags(page: &str, base: &str, code: Option<&str>, listing: Option<&Listing>) -> String {
    let (title, about) = match listing {
        Some(listing) => (title(listing), about(listing)),
        None => ("You are invited to a card table".to_owned(), "Open the link to join. No account needed.".to_owned()),
    };
    let mut tags = String::new();
    let mut tag = |name: &str, content: &str| {
        tags.push_str(&format!("<meta property=\"og:{name}\" content=\"{}\" />", escape_html(content)));
    };
    tag("site_name", "unum");
    tag("type", "website");
    tag("title", &title);
    tag("description", &about);
    tag("image", &format!("{base}{PICTURE}"));
    tag("image:width", "1200");
    tag("image:height", "630");
    tag("image:alt", "A hand of cards on a green table");
    if let Some(code) = code {
        tag("url", &format!("{base}/t/{code}"));
    }
    tags.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\" />");
    page.replacen("</head>", &format!("{tags}</head>"), 1)
}

fn title(listing: &Listing) -> String {
    match (&listing.title, &listing.host) {
        (title, _) if !title.is_empty() => title.clone(),
        (_, Some(host)) => format!("{host}’s table"),
        _ => "A card table".to_owned(),
    }
}

fn about(listing: &Listing) -> String {
    let edition = rulebook::edition_notes(listing.edition).title;
    format!("{edition} edition. Open the link to join. No account needed.")
}

#[cfg(test)]
mod tests {
    use unum_protocol::Stage;
    use unum_protocol::rest::Entry;
    use unum_rules::Edition;

    use super::*;

    const PAGE: &str = "<html><head><title>unum</title></head><body></head></body></html>";

    fn listing(title: &str) -> Listing {
        Listing {
            code: "k3m9pqx7t".to_owned(),
            title: title.to_owned(),
            edition: Edition::Frozen,
            people: 1,
            bots: 0,
            seats: 4,
            stage: Stage::Lobby,
            spectators: true,
            locked: false,
            host: Some("A \"nn\" & <b>".to_owned()),
            free: 3,
            entry: Entry::Sit,
        }
    }

    #[test]
    fn what_people_write_stays_inside_its_attribute() {
        let page =
            with_tags(PAGE, "https://x.org", Some("k3m9pqx7t"), Some(&listing("\"><script>alert('1')</script>&")));
        assert!(page.contains("content=\"&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;\""), "{page}");
        assert!(!page.contains("<script"));
        let page = with_tags(PAGE, "https://x.org", None, Some(&listing("")));
        assert!(page.contains("A &quot;nn&quot; &amp; &lt;b&gt;’s table") && page.contains("Frozen edition"), "{page}");
        assert_eq!(page.matches("og:title").count(), 1, "only the first head is the page's");
    }

    #[test]
    fn a_private_link_tells_nothing() {
        let page = with_tags(PAGE, "https://x.org", None, None);
        assert!(page.contains("You are invited") && page.contains("https://x.org/icons/preview.png"));
        assert!(!page.contains("og:url") && !page.contains("edition"));
    }
}
