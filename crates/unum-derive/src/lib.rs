//! `#[derive(Read)]`: how a value is read from parsed JSON (`unum_rules::json`), by the attributes of serde.
//!
//! It is for the page's module, where the code that serde derives would be a third of everything: that code exists once for each
//! source of values, and handles every order of fields and every form a source may have. Here there is one source, and a field is a
//! call. Both read the same JSON, because both follow the same attributes; an attribute that is not known here does not
//! compile.

#![forbid(unsafe_code)]

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Code;
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, ExprPath, Field, Fields, LitStr, Result, Type, Variant,
    parse_macro_input,
};

/// Implements `unum_rules::json::Read`.
///
/// A field with `#[serde(deserialize_with = …)]` names its counterpart with `#[read(with = …)]`.
#[proc_macro_derive(Read, attributes(serde, read))]
pub fn read(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// What the attributes of a type, a variant or a field say.
#[derive(Default)]
struct Words {
    rename: Option<String>,
    rename_all: Option<String>,
    tag: Option<String>,
    try_from: Option<Type>,
    with: Option<ExprPath>,
    /// It has a function of its own for serde.
    own: bool,
    strict: bool,
    untagged: bool,
    skip: bool,
    default: Option<Option<ExprPath>>,
}

impl Words {
    fn of(attributes: &[Attribute]) -> Result<Words> {
        let mut words = Words::default();
        for attribute in attributes {
            if attribute.path().is_ident("read") {
                attribute.parse_nested_meta(|meta| {
                    if !meta.path.is_ident("with") {
                        return Err(meta.error("only `with` is known"));
                    }
                    words.with = Some(meta.value()?.parse::<LitStr>()?.parse()?);
                    Ok(())
                })?;
            }
            if !attribute.path().is_ident("serde") {
                continue;
            }
            attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                let text = || meta.value()?.parse::<LitStr>();
                match name.as_str() {
                    "rename" => words.rename = Some(text()?.value()),
                    "rename_all" => words.rename_all = Some(text()?.value()),
                    "tag" => words.tag = Some(text()?.value()),
                    "try_from" => words.try_from = Some(text()?.parse()?),
                    "default" if meta.input.peek(syn::Token![=]) => words.default = Some(Some(text()?.parse()?)),
                    "default" => words.default = Some(None),
                    "deny_unknown_fields" => words.strict = true,
                    "untagged" => words.untagged = true,
                    "skip" => words.skip = true,
                    "deserialize_with" => (words.own, _) = (true, text()?),
                    // About writing, or about who implements the trait.
                    "skip_serializing_if" | "into" | "remote" => {
                        text()?;
                    }
                    "borrow" | "transparent" => {}
                    _ => return Err(meta.error("this attribute is not known to `Read`")),
                }
                Ok(())
            })?;
        }
        Ok(words)
    }

    /// The name of a variant in JSON.
    fn variant(&self, own: &Words, name: &str) -> String {
        match (&own.rename, self.rename_all.as_deref()) {
            (Some(rename), _) => rename.clone(),
            (None, Some("lowercase")) => name.to_lowercase(),
            (None, Some(_)) => snake(name),
            (None, None) => name.to_owned(),
        }
    }
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

fn expand(input: &DeriveInput) -> Result<Code> {
    let (name, words) = (&input.ident, Words::of(&input.attrs)?);
    let body = if let Some(form) = &words.try_from {
        quote! { node.convert::<#form, Self>() }
    } else {
        match &input.data {
            Data::Struct(data) => structure(&words, &data.fields, &quote!(#name), None, &quote!(node))?,
            Data::Enum(data) => enumeration(&words, data)?,
            Data::Union(_) => return Err(Error::new(name.span(), "a union has no form in JSON")),
        }
    };
    let borrows = input.generics.lifetimes().next().map(|lifetime| &lifetime.lifetime);
    let implementation = match borrows {
        Some(lifetime) => quote! { impl<#lifetime> ::unum_rules::json::Read<#lifetime> for #name<#lifetime> },
        None => quote! { impl<'a> ::unum_rules::json::Read<'a> for #name },
    };
    let lifetime = borrows.map_or_else(|| quote!('a), |lifetime| quote!(#lifetime));
    Ok(quote! {
        #[automatically_derived]
        #implementation {
            fn read(
                node: &::unum_rules::json::Node<#lifetime>,
            ) -> ::std::result::Result<Self, ::unum_rules::json::Wrong<#lifetime>> {
                #body
            }
        }
    })
}

/// Reads what has fields from a node.
fn structure(words: &Words, fields: &Fields, make: &Code, tag: Option<&str>, node: &Code) -> Result<Code> {
    let named = match fields {
        Fields::Unit => return Ok(quote!(::std::result::Result::Ok(#make))),
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            return Ok(quote!(::std::result::Result::Ok(#make(::unum_rules::json::Read::read(#node)?))));
        }
        Fields::Unnamed(fields) => {
            let count = fields.unnamed.len();
            let parts = (0..count).map(|place| quote!(::unum_rules::json::Read::read(&parts[#place])?));
            return Ok(quote! {{
                let parts = #node.parts(#count)?;
                ::std::result::Result::Ok(#make(#(#parts),*))
            }});
        }
        Fields::Named(fields) => &fields.named,
    };
    let mut names = Vec::new();
    let mut values = Vec::new();
    for field in named {
        let (value, name) = value(words, field, names.len())?;
        let ident = &field.ident;
        values.push(quote!(#ident: #value));
        names.extend(name);
    }
    let strict = words.strict;
    let tag = tag.unwrap_or_default();
    let usual =
        matches!(words.default, Some(None)).then(|| quote!(let usual = <Self as ::std::default::Default>::default();));
    Ok(quote! {{
        let fields = #node.fields(&[#(#names),*], #strict, #tag)?;
        #usual
        ::std::result::Result::Ok(#make { #(#values),* })
    }})
}

/// The value of a field, and its name in JSON if it has one.
fn value(words: &Words, field: &Field, place: usize) -> Result<(Code, Option<String>)> {
    let own = Words::of(&field.attrs)?;
    let ident = field.ident.as_ref().map(|ident| ident.to_string().trim_start_matches("r#").to_owned());
    let otherwise = match (&own.default, &words.default) {
        (Some(Some(path)), _) => Some(quote!(#path())),
        (_, Some(None)) => field.ident.as_ref().map(|ident| quote!(usual.#ident)),
        (Some(None), _) => Some(quote!(::std::default::Default::default())),
        _ => None,
    };
    if own.skip {
        return Ok((otherwise.unwrap_or_else(|| quote!(::std::default::Default::default())), None));
    }
    if own.own != own.with.is_some() {
        return Err(Error::new(field.span(), "`deserialize_with` and `read(with)` belong together"));
    }
    let code = match (&own.with, otherwise) {
        (None, None) => quote!(fields.need(#place)?),
        (None, Some(_)) if matches!((&own.default, &words.default), (Some(None), None)) => {
            quote!(fields.or_default(#place)?)
        }
        (with, otherwise) => {
            let read = with.as_ref().map_or_else(|| quote!(::unum_rules::json::Read::read), |with| quote!(#with));
            let otherwise =
                otherwise.unwrap_or_else(|| quote!(return ::std::result::Result::Err(fields.missing(#place))));
            quote! {
                match fields.find(#place) {
                    ::std::option::Option::Some(node) => #read(node)?,
                    ::std::option::Option::None => #otherwise,
                }
            }
        }
    };
    Ok((code, Some(own.rename.unwrap_or(ident.unwrap_or_default()))))
}

fn enumeration(words: &Words, data: &DataEnum) -> Result<Code> {
    let variants = || data.variants.iter();
    if words.untagged {
        let tries = variants().map(|variant| {
            let ident = &variant.ident;
            quote! {
                if let ::std::result::Result::Ok(value) = ::unum_rules::json::Read::read(node) {
                    return ::std::result::Result::Ok(Self::#ident(value));
                }
            }
        });
        return Ok(quote! { #(#tries)* ::std::result::Result::Err(node.unfit()) });
    }
    let names = variants().map(|variant| Ok(words.variant(&Words::of(&variant.attrs)?, &variant.ident.to_string())));
    let names = names.collect::<Result<Vec<_>>>()?;
    let plain = variants().all(|variant| matches!(variant.fields, Fields::Unit)) && words.tag.is_none();
    let last = names.len().saturating_sub(1);
    let arms = variants().enumerate().map(|(place, variant)| {
        let pattern = if place == last { quote!(_) } else { quote!(#place) };
        let arm = arm(words, variant)?;
        Ok(quote!(#pattern => #arm))
    });
    let arms = arms.collect::<Result<Vec<_>>>()?;
    let choice = match &words.tag {
        Some(tag) => quote! { match node.tagged(#tag, &[#(#names),*])? { #(#arms,)* } },
        None if plain => quote! { match node.word(&[#(#names),*])? { #(#arms,)* } },
        None => quote! {{
            let (variant, content) = node.variant(&[#(#names),*])?;
            match variant { #(#arms,)* }
        }},
    };
    Ok(choice)
}

fn arm(words: &Words, variant: &Variant) -> Result<Code> {
    let ident = &variant.ident;
    let make = quote!(Self::#ident);
    let own = Words { strict: words.strict, ..Words::default() };
    match (&words.tag, &variant.fields) {
        (_, Fields::Unit) => Ok(quote!(::std::result::Result::Ok(#make))),
        (Some(tag), fields) => structure(&own, fields, &make, Some(tag), &quote!(node)),
        (None, fields) => structure(&own, fields, &make, None, &quote!(node.content(content)?)),
    }
}
