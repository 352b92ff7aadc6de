/** Frame of mails to subscribers, as text and as HTML without external resources. Pure. */
import { type ComponentChildren, h } from "preact"
import { renderToString } from "preact-render-to-string"
import { brandMailHead } from "#core/html/Brand.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"

/** Longest subject. Unit: characters. Reason: mail programs show less than half of it. */
const maxSubject = 150

/** Joins a text to one line without control characters, so that it cannot add headers. */
export const line = (text: string): string => text.replace(/[\p{C}\s]+/gu, " ").trim()

export const subjectOf = (text: string): string => {
  const flat = Array.from(line(text))
  return flat.length <= maxSubject ? flat.join("") : `${flat.slice(0, maxSubject - 1).join("")}…`
}

/** Paragraphs of a text as lines without control characters. */
export const paragraphsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map(line)
        .filter((one) => one !== "")
    )
    .filter((lines) => lines.length > 0)

const styles = {
  body:
    "margin:0;padding:24px 12px;background:#f2f4f7;color:#1c2430;" +
    "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  card: "max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #d5dae1;border-radius:8px;padding:24px",
  label:
    "display:inline-block;margin:0 0 8px;padding:2px 10px;border-radius:12px;" +
    "color:#ffffff;font-size:14px;font-weight:600",
  title: "margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere",
  text: "margin:0 0 12px;overflow-wrap:anywhere",
  facts:
    "margin:16px 0;padding:12px 0 0;border-top:1px solid #d5dae1;font-size:14px;color:#49525f;overflow-wrap:anywhere",
  button:
    "display:inline-block;padding:10px 18px;border-radius:6px;" +
    "background:#0b57a4;color:#ffffff;font-weight:600;text-decoration:none",
  foot: "max-width:560px;margin:16px auto 0;font-size:13px;color:#49525f;overflow-wrap:anywhere",
  link: "color:#0b57a4"
} as const

/** Dark enough for white text. Source of the contrast: WCAG 2.2 §1.4.3. */
export const colours = { good: "#1b6e3c", notice: "#0b57a4", warning: "#8a5a00", bad: "#a4161a" } as const

export interface Page {
  readonly language: LanguageCode
  readonly subject: string
  /** Status above the title, in one or two words. */
  readonly label?: { readonly text: string; readonly colour: string }
  readonly title: string
  readonly body: ReadonlyArray<ComponentChildren>
  readonly button: { readonly text: string; readonly href: string }
  readonly after?: ReadonlyArray<ComponentChildren>
  readonly foot: ReadonlyArray<ComponentChildren>
}

export const page = ({ after = [], body, button, foot, label, language, subject, title }: Page): string => {
  const brand = brandMailHead()
  return `<!DOCTYPE html>${renderToString(
    h(
      "html",
      { lang: language },
      h(
        "head",
        null,
        h("meta", { charset: "utf-8" }),
        h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
        h("meta", { name: "color-scheme", content: "light" }),
        h("title", null, subject)
      ),
      h(
        "body",
        { style: styles.body },
        h(
          "div",
          { style: styles.card, role: "article" },
          brand === "" ? null : h("div", { dangerouslySetInnerHTML: { __html: brand } }),
          label === undefined ? null : h("p", { style: `${styles.label};background:${label.colour}` }, label.text),
          h("h1", { style: styles.title }, title),
          ...body,
          h("p", { style: "margin:20px 0" }, h("a", { style: styles.button, href: button.href }, button.text)),
          ...after
        ),
        h("div", { style: styles.foot }, ...foot)
      )
    )
  )}`
}

export const text = (...children: ReadonlyArray<ComponentChildren>) => h("p", { style: styles.text }, ...children)

/** Paragraphs of an operator's text as HTML. */
export const written = (message: string) =>
  paragraphsOf(message).map((lines) =>
    text(...lines.flatMap((one, index) => (index === 0 ? [one] : [h("br", null), one])))
  )

/** Facts such as "Affects: mail, web", one per line. */
export const facts = (pairs: ReadonlyArray<readonly [string, string]>) =>
  h(
    "p",
    { style: styles.facts },
    ...pairs.flatMap(([name, value], index) => [
      index === 0 ? null : h("br", null),
      h("strong", null, `${name}: `),
      value
    ])
  )

export const link = (text: string, href: string) => h("a", { style: styles.link, href }, text)
