/**
 * Operations that the sources of the console call. Most calls name their endpoint: `call("GET /api/v1/users")`. Kinds
 * of telephony, mail and customers name a base path. `otherCalls` lists the rest by file.
 */
import { shape } from "./Shape.ts"

export interface Source {
  /** Path from the project's root. */
  readonly path: string
  readonly text: string
}

/** Calls whose address is not the name of an endpoint, by file. */
export const otherCalls: Readonly<Record<string, string>> = {
  "console/lib/Session.ts": `
    POST /api/v1/auth/login
    POST /api/v1/auth/link
    POST /api/v1/auth/refresh
    POST /api/v1/auth/logout`,
  "console/lib/Texts.ts": `
    GET /api/v1/i18n/bundles/{locale}
    GET /api/v1/i18n/languages`,
  "console/wake-word/BrowserEngine.ts": `
    GET /api/v1/wakeword/active/model
    GET /api/v1/wakeword/active/embedding
    GET /api/v1/wakeword/active/mel`,
  "console/wake-word/Listener.ts": `
    GET /api/v1/wakeword/status`,
  "console/pages/customers/Import.tsx": `
    POST /api/v1/crm/customers/imports
    GET /api/v1/crm/customers/imports/{id}`,
  "console/pages/bank/invoices/Page.tsx": `
    POST /api/v1/crm/invoices/imports
    GET /api/v1/crm/invoices/imports/{uuid}`,
  "console/pages/bank/payments/Page.tsx": `
    POST /api/v1/crm/payments/imports
    GET /api/v1/crm/payments/imports/{uuid}`,
  "console/pages/bank/accounts/Letters.tsx": `
    GET /api/v1/crm/ebics/accounts/{uuid}/keys/ini-letter`,
  "console/pages/bank/statements/Import.tsx": `
    POST /api/v1/crm/ebics/statements/import`,
  "console/pages/bank/statements/Files.tsx": `
    GET /api/v1/crm/ebics/files/{uuid}/raw`,
  "console/pages/bank/statements/Statement.tsx": `
    GET /api/v1/crm/ebics/statements/{uuid}/raw`,
  "console/pages/languages/Files.tsx": `
    GET /api/v1/i18n/admin/files/{locale}
    POST /api/v1/i18n/admin/files/{locale}/csv
    POST /api/v1/i18n/admin/files/{locale}/xliff`,
  "console/pages/mail/Download.ts": `
    GET /api/v1/mail/webmail/messages/{folder}/{uid}/attachments/{part}`,
  "console/pages/mail/Drafts.ts": `
    POST /api/v1/mail/webmail/send`,
  "console/pages/mail/MessageView.tsx": `
    GET /api/v1/mail/webmail/messages/{folder}/{uid}/raw`,
  "console/pages/mail/Upload.ts": `
    POST /api/v1/mail/webmail/attachments`,
  "console/pages/wake-word/recordings/Upload.ts": `
    POST /api/v1/wakeword/samples/upload`
}

/** Source text without comments and without types, which name endpoints that the file need not call. */
const codeOf = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/\b(?:Answer|Payload|Options)<\s*["`][^"`]*["`]\s*>/g, "")

const name = /["`]((?:GET|POST|PUT|PATCH|DELETE) \/[^"`\s$]*)["`]/g
const kind = /\bkind\(\s*"([^"]+)"/g
const kindWithin = /\bkindWithin\(\s*"([^"]+)",\s*"([^"]+)"/g
/** A base path of the objects that pickers offer, in Things.ts. */
const picked = /\bpath: "(\/api\/v1\/[^"]+)"/g

/** Operations of a kind with the base path. `fixed` stands before its fields: no changes. */
const ofKind = (code: string, at: number, path: string, collection = path): ReadonlyArray<string> => [
  `GET ${collection}`,
  `POST ${collection}`,
  `DELETE ${path}/:id`,
  ...(/\bfixed: true/.test(code.slice(at).split(/\bfields:/)[0]!) ? [] : [`PUT ${path}/:id`])
]

/** Operations that one file calls, by shape. */
const callsOf = ({ path, text }: Source): ReadonlyArray<string> => {
  const constant = /\bconst path = "([^"]+)"/.exec(text)?.[1]
  const code = codeOf(constant === undefined ? text : text.replaceAll("${path}", constant))
  return [
    ...Array.from(code.matchAll(name), ([, one]) => one!),
    ...Array.from(code.matchAll(kind), (found) => ofKind(code, found.index, found[1]!)).flat(),
    ...Array.from(code.matchAll(kindWithin), (found) => ofKind(code, found.index, found[1]!, found[2])).flat(),
    ...(path.endsWith("/telephony/Things.ts")
      ? Array.from(code.matchAll(picked), ([, one]) => [`GET ${one!}`, `GET ${one!}/:id`]).flat()
      : []),
    ...(otherCalls[path] ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
  ].map(shape)
}

/** All operations that the console calls, by shape. */
export const consoleCalls = (sources: ReadonlyArray<Source>): ReadonlySet<string> =>
  new Set(sources.filter(({ path }) => path.startsWith("console/")).flatMap(callsOf))

/** Files of the console with an address that is neither the name of an endpoint nor the base path of a kind. */
export const filesWithOtherCalls = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  sources
    .filter(({ path }) => path.startsWith("console/"))
    .filter(({ path, text }) => {
      const code = codeOf(text).replace(kind, "").replace(kindWithin, "")
      return !baseFiles.includes(path) && /(?<!(?:GET|POST|PUT|PATCH|DELETE) )\/api\/v1\//.test(code)
    })
    .map(({ path }) => path)

/**
 * Files with base paths that other patterns find: types of kinds, pickers, and names that a constant begins. The
 * WebSocket is no operation.
 */
const baseFiles = [
  "console/lib/Socket.ts",
  "console/pages/telephony/Kind.ts",
  "console/pages/telephony/Store.ts",
  "console/pages/telephony/Things.ts",
  "console/pages/bank/transactions/Desk.ts",
  "console/pages/bank/transactions/BatchRun.tsx"
]
