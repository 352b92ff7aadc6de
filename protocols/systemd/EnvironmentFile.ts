/**
 * Decodes a file of `EnvironmentFile=`: quotes, escapes, continued lines and comments as systemd reads them. Expands no
 * variables and opens no file. Source: systemd.exec(5) "EnvironmentFile="; systemd src/basic/env-file.c,
 * parse_env_file_internal, version 254, before which a comment that ended in a backslash also hid the next line.
 *
 * dotenv 17 and Node's util.parseEnv differ: both expand `\n` in double quotes, and neither continues lines.
 */

const comment = new Set(["#", ";"])
const newline = new Set(["\n", "\r"])
const whitespace = new Set([" ", "\t", "\n", "\r"])
/** Characters that lose their backslash in double quotes. */
const escaped = new Set(['"', "\\", "`", "$"])

type Place =
  | "before key"
  | "key"
  | "before value"
  | "value"
  | "escape in value"
  | "single quotes"
  | "double quotes"
  | "escape in double quotes"
  | "comment"
  | "escape in comment"

/**
 * Assignments in the order of the file; a later one of the same name wins. Lines without `=` and wrong names are
 * skipped.
 */
export const parseEnvironmentFile = (text: string): ReadonlyArray<readonly [name: string, value: string]> => {
  const found: Array<readonly [string, string]> = []
  let place: Place = "before key"
  let key = ""
  let value = ""
  /** Length of the value up to its last character that is not unquoted white space. */
  let kept = 0
  const keep = (character: string) => {
    value += character
    kept = value.length
  }
  const finish = () => {
    const name = key.trim()
    const held = value.slice(0, kept)
    if (isName(name) && isValue(held)) found.push([name, held])
    key = value = ""
    kept = 0
    place = "before key"
  }
  for (const character of text) {
    switch (place) {
      case "before key":
        if (comment.has(character)) place = "comment"
        else if (!whitespace.has(character)) {
          place = "key"
          key = character
        }
        break
      case "key":
        if (newline.has(character)) place = "before key"
        else if (character === "=") place = "before value"
        else key += character
        break
      case "before value":
        if (newline.has(character)) finish()
        else if (character === "'") place = "single quotes"
        else if (character === '"') place = "double quotes"
        else if (character === "\\") place = "escape in value"
        else if (!whitespace.has(character)) {
          place = "value"
          keep(character)
        }
        break
      case "value":
        if (newline.has(character)) finish()
        else if (character === "\\") {
          place = "escape in value"
          // White space before the backslash is then inside the value.
          kept = value.length
        } else if (whitespace.has(character)) value += character
        else keep(character)
        break
      case "escape in value":
        place = "value"
        if (!newline.has(character)) keep(character)
        break
      case "single quotes":
        if (character === "'") place = "before value"
        else keep(character)
        break
      case "double quotes":
        if (character === '"') place = "before value"
        else if (character === "\\") place = "escape in double quotes"
        else keep(character)
        break
      case "escape in double quotes":
        place = "double quotes"
        if (escaped.has(character)) keep(character)
        else if (character !== "\n") keep(`\\${character}`)
        break
      case "comment":
        if (character === "\\") place = "escape in comment"
        else if (newline.has(character)) place = "before key"
        break
      case "escape in comment":
        place = newline.has(character) ? "before key" : "comment"
        break
    }
  }
  if (place !== "before key" && place !== "key" && !place.endsWith("comment")) finish()
  return found
}

const isName = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)

/** A variable holds no control characters other than tab and newline. */
// oxlint-disable-next-line no-control-regex
const isValue = (value: string) => !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(value)
