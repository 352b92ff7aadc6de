/**
 * Streaming parser of camt.053 (statement) and camt.052 (report), versions 02 to 13. Pure: bytes in, events out. Memory
 * stays flat, because it keeps only the entry that it is reading; the details of a batch are kept until the entry ends.
 * Elements are found by local name, so every version and namespace prefix works. Source: ISO 20022.
 *
 * Document types, and so entities, are refused. The npm libraries camt-parser and iso20022.js read whole files.
 */
import { Result } from "effect"
import { SaxesParser } from "saxes"
import { BankFormatsError, malformed, tooLarge } from "./BankFormatsError.ts"
import { accountOf, balanceOf, type Details, detailsOf, entryOf } from "./CamtEntry.ts"
import { type CamtNode, child, childrenOf, text } from "./CamtNode.ts"
import type { Entry, Statement } from "./Statement.ts"
import { day, defined } from "./Values.ts"

export type CamtEvent =
  /** Head and balances of a statement; its entries follow. */
  { readonly _tag: "Statement"; readonly statement: Statement } | { readonly _tag: "Entry"; readonly entry: Entry }

export interface CamtParser {
  /** Reads the next bytes. After a failure every further call fails in the same way. */
  readonly write: (bytes: Uint8Array) => Result.Result<ReadonlyArray<CamtEvent>, BankFormatsError>
  /** Ends the file. Fails when it is incomplete. */
  readonly close: () => Result.Result<ReadonlyArray<CamtEvent>, BankFormatsError>
}

/** Deepest nesting. Reason: camt nests at most 20 levels deep. */
export const maxDepth = 64

/** Longest text, tag or comment. Unit: characters. Reason: the longest text of camt has 500. */
export const maxToken = 1_048_576

/**
 * Maximum number of elements of an entry without its details, or of one detail. Reason: real ones have fewer than 300.
 */
export const maxNodes = 20_000

/**
 * Maximum number of details of one entry. Reason: a batch of SEPA payments has at most 100,000 transactions at large
 * banks.
 */
export const maxDetails = 200_000

/** Bytes that are parsed at once, so that the bound on tokens is checked often. */
const sliceLength = 65_536

export const camtParser = (): CamtParser => {
  let events: Array<CamtEvent> = []
  let failed: BankFormatsError | undefined
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let pending = 0
  let entries = 0

  // Names of the open elements, and the trees of open elements of a part.
  const path: Array<string> = []
  const open: Array<CamtNode> = []
  let nodes = 0
  let version = ""
  let kind: Statement["kind"] | undefined
  let head: CamtNode | undefined
  let announced: Statement | undefined
  let details: Array<Details> = []

  const parser = new SaxesParser({ position: false, xmlns: false as const })
  parser.on("doctype", () => {
    throw malformed("a document type declaration is not allowed")
  })
  parser.on("opentag", (tag) => {
    pending = 0
    const colon = tag.name.indexOf(":")
    const name = colon < 0 ? tag.name : tag.name.slice(colon + 1)
    if (path.length >= maxDepth) throw tooLarge("maxDepth", entries)
    path.push(name)
    const depth = path.length
    if (depth === 1) begin(name, Object.values(tag.attributes).map(String))
    else if (depth === 2) kind = kindOf(name)
    else if (depth === 3 && isStatement(name)) {
      head = node(name, undefined)
      announced = undefined
    } else if (depth > 3 && head !== undefined) {
      if (++nodes > maxNodes) throw tooLarge("maxNodes", entries)
      // The attributes are slow to read, and only amounts have a currency.
      const made = node(name, name === "Amt" ? tag.attributes["Ccy"] : undefined)
      if (depth === 4 && name === "Ntry") {
        announce()
        entries++
      }
      open.push(made)
    }
  })
  const onText = (piece: string) => {
    pending = 0
    const current = open[open.length - 1]
    if (current !== undefined) current.text = current.text === "" ? piece : current.text + piece
  }
  parser.on("text", onText)
  parser.on("cdata", onText)
  parser.on("comment", () => {
    pending = 0
  })
  parser.on("closetag", () => {
    pending = 0
    const name = path.pop() ?? ""
    const depth = path.length + 1
    if (depth === 3 && head !== undefined) {
      announce()
      head = undefined
      return
    }
    const closed = open.pop()
    if (closed === undefined || head === undefined) return
    if (depth === 6 && name === "TxDtls" && path[3] === "Ntry") {
      if (details.length >= maxDetails) throw tooLarge("maxDetails", entries)
      details.push(detailsOf(closed))
      nodes = 0
    } else if (depth > 4) append(open[open.length - 1], closed)
    else if (name === "Ntry") {
      events.push({ _tag: "Entry", entry: entryOf(closed, details, announced?.account.iban) })
      details = []
      nodes = 0
    } else append(head, closed)
  })

  const begin = (name: string, attributes: ReadonlyArray<string>) => {
    if (name !== "Document") throw malformed("the root is not Document")
    version = attributes.map((value) => /camt\.05[23]\.\d{3}\.\d{2}$/.exec(value)?.[0]).find(Boolean) ?? ""
  }

  const announce = () => {
    if (head === undefined || announced !== undefined) return
    announced = statementOf(head, kind ?? "EndOfDay", version)
    nodes = 0
    events.push({ _tag: "Statement", statement: announced })
  }

  const step = (run: () => void): Result.Result<ReadonlyArray<CamtEvent>, BankFormatsError> => {
    if (failed !== undefined) return Result.fail(failed)
    try {
      run()
    } catch (error) {
      failed =
        error instanceof BankFormatsError
          ? new BankFormatsError({ reason: error.reason, entry: entries })
          : malformed("the text is not well-formed XML", entries)
      return Result.fail(failed)
    }
    const found = events
    events = []
    return Result.succeed(found)
  }

  return {
    write: (bytes) =>
      step(() => {
        decoder ??= decoderOf(bytes)
        for (let from = 0; from < bytes.length; from += sliceLength) {
          const slice = decoder.decode(bytes.subarray(from, from + sliceLength), { stream: true })
          pending += slice.length
          parser.write(slice)
          if (pending > maxToken) throw tooLarge("maxToken", entries)
        }
      }),
    close: () =>
      step(() => {
        parser.write(decoder?.decode() ?? "")
        parser.close()
      })
  }
}

/** Reads a whole file at once. */
export const parseCamt = (bytes: Uint8Array): Result.Result<ReadonlyArray<CamtEvent>, BankFormatsError> =>
  Result.gen(function* () {
    const parser = camtParser()
    const events = yield* parser.write(bytes)
    return [...events, ...(yield* parser.close())]
  })

const node = (name: string, currency: string | undefined): CamtNode => ({
  name,
  text: "",
  currency,
  children: undefined
})

const append = (parent: CamtNode | undefined, child: CamtNode) => {
  if (parent === undefined) return
  if (parent.children === undefined) parent.children = [child]
  else parent.children.push(child)
}

const kindOf = (name: string): Statement["kind"] => {
  if (name === "BkToCstmrStmt") return "EndOfDay"
  if (name === "BkToCstmrAcctRpt") return "Intraday"
  throw malformed("the message is neither camt.052 nor camt.053")
}

const isStatement = (name: string) => name === "Stmt" || name === "Rpt"

const statementOf = (head: CamtNode, kind: Statement["kind"], version: string): Statement => {
  const number = text(head, "ElctrncSeqNb") ?? text(head, "LglSeqNb")
  const page = text(head, "StmtPgntn", "PgNb") ?? text(head, "RptPgntn", "PgNb")
  const range = child(head, "FrToDt")
  const dayOf = (value: string | undefined) => (value === undefined ? undefined : day(value))
  const id = text(head, "Id")
  if (id === undefined) throw malformed("a statement has no Id")
  return defined({
    kind,
    format: version === "" ? (kind === "EndOfDay" ? "camt.053" : "camt.052") : version,
    id,
    number: number !== undefined && /^\d{1,15}$/.test(number) ? Number(number) : undefined,
    page: page !== undefined && /^\d{1,5}$/.test(page) ? Number(page) : undefined,
    createdAt: text(head, "CreDtTm"),
    from: dayOf(text(range, "FrDtTm")),
    to: dayOf(text(range, "ToDtTm")),
    account: accountOf(child(head, "Acct")),
    balances: childrenOf(head, "Bal").map(balanceOf)
  })
}

/** UTF-8, which camt requires, or the one-byte encoding that the declaration names. Anything else is no UTF-8. */
const decoderOf = (bytes: Uint8Array) => {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1")
  const [, encoding = "utf-8"] = /^\s*<\?xml[^>]*encoding=["']([A-Za-z0-9._-]+)["']/.exec(start) ?? []
  const label = /^(?:iso-8859-1|iso-8859-15|windows-1252)$/i.test(encoding) ? encoding : "utf-8"
  return new TextDecoder(label, { fatal: true })
}
