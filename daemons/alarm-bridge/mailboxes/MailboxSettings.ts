/**
 * Parses the list of alarm mailboxes from JSON. Pure except for checks of password files. Error messages name the
 * mailbox and the member but never a value, because the text contains passwords.
 */
import { Redacted, Result } from "effect"
import { readFileSync } from "node:fs"

/** Source of a mailbox's password. Files and credentials are read at each sign-in, so that the password can change. */
export type PasswordSource =
  | { readonly _tag: "Given"; readonly password: Redacted.Redacted }
  | { readonly _tag: "File"; readonly path: string }
  | { readonly _tag: "Credential"; readonly name: string }

/** `implicit`: TLS from the first byte. `starttls`: upgrade before any other command. `none`: no encryption. */
export type MailboxTls = "implicit" | "starttls" | "none"

export interface MailboxSettings {
  /** Identifies the cursor, the actor and the trigger keys. A changed name is a new mailbox. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly tls: MailboxTls
  /** Whether the server's certificate must be valid. */
  readonly tlsVerify: boolean
  /** PEM file with the certificate authorities to trust instead of the system's. */
  readonly ca: string | undefined
  readonly user: string
  readonly password: PasswordSource
  readonly folder: string
}

const members = [
  "name",
  "host",
  "port",
  "tls",
  "tls_verify",
  "ca",
  "user",
  "password",
  "password_file",
  "password_credential",
  "folder"
]

/** Mailboxes, or the first problem found. */
export const parseMailboxes = (json: string): Result.Result<ReadonlyArray<MailboxSettings>, string> => {
  let list: unknown
  try {
    list = JSON.parse(json)
  } catch {
    return Result.fail("is not valid JSON")
  }
  if (!Array.isArray(list)) return Result.fail("must be a JSON array of mailboxes")
  const mailboxes: Array<MailboxSettings> = []
  for (const [index, item] of list.entries()) {
    try {
      mailboxes.push(parseMailbox(item))
    } catch (error) {
      if (!(error instanceof Complaint)) throw error
      return Result.fail(`mailbox ${index + 1}: ${error.message}`)
    }
  }
  const twice = mailboxes.map(({ name }) => name).find((name, index, names) => names.indexOf(name) !== index)
  return twice === undefined ? Result.succeed(mailboxes) : Result.fail(`two mailboxes are named ${twice}`)
}

/** Thrown by the functions below and caught only by `parseMailboxes`. */
class Complaint extends Error {}

const parseMailbox = (item: unknown): MailboxSettings => {
  if (typeof item !== "object" || item === null || Array.isArray(item)) throw new Complaint("must be an object")
  const given = item as Record<string, unknown>
  const unknown = Object.keys(given).find((key) => !members.includes(key))
  if (unknown !== undefined)
    throw new Complaint(`has no member ${JSON.stringify(unknown.slice(0, 40))}; known members: ${members.join(", ")}`)
  const text = (key: string, fallback?: string): string => {
    const value = given[key] ?? fallback
    // eslint-disable-next-line no-control-regex
    if (typeof value !== "string" || value === "" || /[\u0000-\u001f]/.test(value))
      throw new Complaint(`${key} must be a single line of text`)
    return value
  }
  const optional = (key: string) => (given[key] === undefined ? undefined : text(key))
  const name = text("name")
  if (!/^[\w.@-]{1,100}$/.test(name)) throw new Complaint("name must be letters, digits and . _ - @, at most 100")
  const tls = text("tls", "implicit")
  if (tls !== "implicit" && tls !== "starttls" && tls !== "none")
    throw new Complaint("tls must be implicit, starttls or none")
  const port = given["port"] ?? (tls === "implicit" ? 993 : 143)
  if (!Number.isInteger(port) || (port as number) < 1 || (port as number) > 65_535)
    throw new Complaint("port must be a whole number from 1 to 65535")
  const tlsVerify = given["tls_verify"] ?? true
  if (typeof tlsVerify !== "boolean") throw new Complaint("tls_verify must be true or false")
  return {
    name,
    host: text("host"),
    port: port as number,
    tls,
    tlsVerify,
    ca: readable("ca", optional("ca")),
    user: text("user"),
    password: passwordOf(
      optional("password"),
      readable("password_file", optional("password_file")),
      optional("password_credential")
    ),
    folder: text("folder", "INBOX")
  }
}

const passwordOf = (
  given: string | undefined,
  file: string | undefined,
  credential: string | undefined
): PasswordSource => {
  if ([given, file, credential].filter((source) => source !== undefined).length !== 1) {
    throw new Complaint("requires exactly one of password, password_file, password_credential")
  }
  if (given !== undefined) return { _tag: "Given", password: Redacted.make(given, { label: "mailbox password" }) }
  return file !== undefined ? { _tag: "File", path: file } : { _tag: "Credential", name: credential! }
}

/** Checks that a file can be read, so that a missing file stops the daemon at start. */
const readable = (key: string, path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  try {
    readFileSync(path)
    return path
  } catch (error) {
    throw new Complaint(`${key}: ${(error as NodeJS.ErrnoException).code ?? "cannot be read"}`)
  }
}
