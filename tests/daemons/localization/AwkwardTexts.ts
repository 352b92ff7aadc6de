/** Two hundred English texts that engines like to damage: placeholders, plurals, quotes, markup, signs and spaces. */
const frames = [
  (inner: string) => inner,
  (inner: string) => `Hello ${inner}`,
  (inner: string) => `${inner}, welcome back!`,
  (inner: string) => `  Delete ${inner}?  `,
  (inner: string) => `<b>Warning:</b> ${inner} & others`,
  (inner: string) => `Line one ${inner}\nline two\n\n\tindented`,
  (inner: string) => `It's "${inner}" — 100 % done; see #1`,
  (inner: string) => `l''${inner} & <script>alert("x")</script>`,
  (inner: string) => `&lt;${inner}&gt; &amp;nbsp;`,
  (inner: string) => `Mail to ops@example.org about ${inner} (RFC 5322)`
]

const inners = [
  "{name}",
  "{first} {last}",
  "{name}{name}",
  "{count, number}",
  "{at, date, short} {at, time}",
  "{count, plural, one {# file} other {# files}}",
  "{count, plural, =0 {nothing} one {one file in {folder}} other {# files in {folder}}}",
  "{count, plural, offset:1 =0 {nobody} one {you and # other} other {you and # others}}",
  "{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}",
  "{who, select, anna {her file} bob {his file} other {their file}}",
  "{who, select, anna {{count, plural, one {her file} other {her # files}}} other {their files}}",
  "{a, plural, one {# cat} other {# cats}} and {b, plural, one {# dog} other {# dogs}}",
  "'{'quoted'}' {name}",
  "{name_1} {x2}",
  "{count, number, percent}",
  'x0 __0__ {name} <x id="0"></x>',
  "{b}{c}{d}{e}{f}",
  "{über}",
  "no placeholder",
  "{count, plural, one {'{'#'}'} other {'#'# it''s}}"
]

export const awkwardTexts: ReadonlyArray<string> = frames.flatMap((frame) => inners.map(frame))

/** What may go wrong at an engine, by name. Each gets the fragment and returns its translation. */
export const damages: Readonly<Record<string, (text: string) => string>> = {
  none: (text) => text,
  translated: (text) => text.replace(/(?<![&\w])[a-z]{3,}(?![\w;]*;|[^<]*>)/g, (word) => `${word}en`),
  upper: (text) => text.replace(/>[^<]*</g, (part) => part.toUpperCase()),
  spaced: (text) => text.replaceAll("<x", "< x"),
  selfClosing: (text) => text.replaceAll(/<x id="(\d+)"><\/x>/g, '<x id="$1"/>'),
  quoted: (text) => text.replaceAll(/<x id="(\d+)">/g, "<x id='$1'>"),
  dropped: (text) => text.replace(/<x id="\d+"><\/x>/, ""),
  doubled: (text) => text.replace(/(<x id="\d+"><\/x>)/, "$1$1"),
  renumbered: (text) => text.replaceAll(/id="(\d+)"/g, 'id="9$1"'),
  swapped: (text) => text.replace(/(<x id="\d+"><\/x>)(.*)(<x id="\d+"><\/x>)/s, "$3$2$1"),
  trimmed: (text) => text.trim(),
  unescaped: (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  numbered: (text) => text.replaceAll("&lt;", "&#60;").replaceAll("&gt;", "&#x3e;"),
  braces: (text) => `${text} {injected}`,
  markup: (text) => `<p>${text}</p>`,
  empty: () => "",
  control: (text) => `${text}\u0000`,
  apostrophe: (text) => text.replaceAll("<x", "'<x").replaceAll("</x>", "</x>'"),
  hash: (text) => `# ${text} #`
}
