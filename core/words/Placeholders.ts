/**
 * Names of the placeholders of a message, as a type: `"{count, plural, one {# day} other {# days}} of {name}"` has
 * `"count" | "name"`. Only types. Quoted braces are not known here; texts of the program have none.
 */

/** `Open`: what the open braces are, the innermost first. A `form` holds text, a `choice` holds forms. */
type Scan<
  Text extends string,
  Open extends ReadonlyArray<"form" | "choice">,
  Names
> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Between}`
    ? Scan<`${Between}{${After}`, Closed<Open>, Names>
    : Open extends readonly ["choice", ...ReadonlyArray<"form" | "choice">]
      ? Scan<After, ["form", ...Open], Names>
      : After extends `${infer Inner}}${infer Rest}`
        ? Inner extends `${infer Name},${string}`
          ? After extends `${Name},${infer Choice}`
            ? Scan<Choice, ["choice", ...Open], Names | Name>
            : never
          : Scan<Rest, Open, Names | Inner>
        : Names
  : Names

type Closed<Open extends ReadonlyArray<"form" | "choice">> = Open extends readonly [
  "form" | "choice",
  ...infer Outer extends ReadonlyArray<"form" | "choice">
]
  ? Outer
  : []

export type PlaceholdersOf<Text extends string> = Scan<Text, [], never>
