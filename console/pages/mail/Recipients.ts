/** Recipients as they are typed: addresses with or without names, a comma or semicolon between them. Pure. */
import type { Address } from "./Shapes.ts"

/** Pieces of the text between its commas and semicolons; those inside quotes and angle brackets part nothing. */
const pieces = (text: string): Array<string> => text.match(/(?:"(?:[^"\\]|\\[^])*"?|<[^>]*>?|[^,;"<])+|[,;]/g) ?? []

export const split = (text: string): Array<string> =>
  pieces(text)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "" && piece !== "," && piece !== ";")

/** What is being typed: the piece after the last comma. */
export const last = (text: string): string => {
  const piece = pieces(text).at(-1) ?? ""
  return piece === "," || piece === ";" ? "" : piece.trim()
}

/** The text with its last piece put in full, ready for the next one. */
export const complete = (text: string, person: string): string => {
  const all = pieces(text)
  const typed = all.at(-1)
  const before = (typed === undefined || typed === "," || typed === ";" ? all : all.slice(0, -1)).join("").trim()
  return `${before === "" ? "" : `${before.replace(/[,;]$/, "")}, `}${person}, `
}

/** `Name <a@b>`, the name in quotes where it needs them. Source: RFC 5322 §3.4. */
export const written = ({ address, name }: Address): string =>
  name === "" || name === address
    ? address
    : `${/^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`} <${address}>`

/** The address alone. */
export const addressIn = (piece: string): string => (/<([^<>]*)>\s*$/.exec(piece)?.[1] ?? piece).trim()

/** Whether it may be an address at all; the server says for certain. */
export const plausible = (piece: string): boolean =>
  /^[^\s@"<>]+@[^\s@"<>]+$/.test(addressIn(piece)) && (!/[<>]/.test(piece) || /^[^<>]*<[^<>]+>$/.test(piece))
