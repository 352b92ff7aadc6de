import { partsOf } from "./Placeholders.ts"

/** A text with its placeholders marked. Everything is text, whatever it contains. */
export const MarkedText = ({ of, lang }: { readonly of: string; readonly lang: string }) => (
  <span class="marked-text" lang={lang}>
    {partsOf(of).map(({ placeholder, text }, index) =>
      placeholder ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>
    )}
  </span>
)
