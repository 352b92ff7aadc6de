/** Files with statements for tests, written for the standard: camt.053, camt.052 and MT940 with the given bookings. */

/** IBAN of the account in the files. */
export const ownIban = "DE89370400440532013000"

export interface Booked {
  /** Decimal amount with a point; `-` for money that goes out. */
  readonly amount: string
  readonly text?: string
  readonly endToEndId?: string
  readonly reference?: string
  readonly iban?: string
  readonly name?: string
  readonly status?: "BOOK" | "PDNG" | "INFO"
  /** `YYYY-MM-DD`. Default: the day of the statement. */
  readonly on?: string
}

export interface StatementParts {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly number?: number
  readonly id?: string
  readonly iban?: string
  readonly currency?: string
  readonly opening?: string
  /** Default: the opening balance and the bookings. */
  readonly closing?: string
  /** Time of creation, ISO 8601. */
  readonly created?: string
  readonly bookings?: ReadonlyArray<Booked>
}

const cents = (decimal: string) => Math.round(Number(decimal) * 100)
const decimal = (value: number) => (value / 100).toFixed(2)

/** Closing balance: the opening balance and what was booked. */
export const closingOf = ({ bookings = [], closing, opening = "0.00" }: StatementParts): string =>
  closing ??
  decimal(
    bookings
      .filter(({ status = "BOOK" }) => status === "BOOK")
      .reduce((sum, { amount }) => sum + cents(amount), cents(opening))
  )

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const side = (amount: string) => (amount.startsWith("-") ? "DBIT" : "CRDT")
const unsigned = (amount: string) => amount.replace(/^-/, "")
const optional = (name: string, value: string | number | undefined) =>
  value === undefined ? "" : `<${name}>${escaped(String(value))}</${name}>`

const balance = (code: string, amount: string, currency: string, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${unsigned(amount)}</Amt>` +
  `<CdtDbtInd>${side(amount)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`

export const camtEntry = (booked: Booked, currency: string, day: string): string => {
  const { amount, endToEndId, iban, name, on = day, reference, status = "BOOK", text = "" } = booked
  const other = side(amount) === "CRDT" ? "Dbtr" : "Cdtr"
  const party =
    (name === undefined ? "" : `<${other}><Pty><Nm>${escaped(name)}</Nm></Pty></${other}>`) +
    (iban === undefined ? "" : `<${other}Acct><Id><IBAN>${iban}</IBAN></Id></${other}Acct>`)
  return (
    `<Ntry><Amt Ccy="${currency}">${unsigned(amount)}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd>` +
    `<Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>${on}</Dt></BookgDt><ValDt><Dt>${on}</Dt></ValDt>` +
    `${optional("AcctSvcrRef", reference)}<BkTxCd><Prtry><Cd>NTRF+166</Cd><Issr>DK</Issr></Prtry></BkTxCd>` +
    `<NtryDtls><TxDtls><Refs>${optional("EndToEndId", endToEndId)}</Refs><Amt Ccy="${currency}">${unsigned(amount)}` +
    `</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd><RltdPties>${party}</RltdPties>` +
    `<RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  )
}

/** Head of a statement in camt, up to its entries. */
const camtHead = (parts: StatementParts, isReport: boolean): string => {
  const { created, currency = "EUR", day, id, iban = ownIban, number, opening = "0.00" } = parts
  const time = created ?? `${day}T23:30:00+01:00`
  const balances = isReport
    ? balance("ITBD", closingOf(parts), currency, day)
    : balance("OPBD", opening, currency, day) + balance("CLBD", closingOf(parts), currency, day)
  return (
    `<Id>${id ?? `S-${day}-${number ?? 0}`}</Id>${optional("ElctrncSeqNb", number)}<CreDtTm>${time}</CreDtTm>` +
    `<FrToDt><FrDtTm>${day}T00:00:00+01:00</FrDtTm><ToDtTm>${day}T23:59:59+01:00</ToDtTm></FrToDt>` +
    `<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>${balances}`
  )
}

const message = (isReport: boolean, content: string): string => {
  const [version, root] = isReport ? ["camt.052.001.08", "BkToCstmrAcctRpt"] : ["camt.053.001.08", "BkToCstmrStmt"]
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${version}"><${root}>` +
    `<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-07T03:00:00+01:00</CreDtTm></GrpHdr>${content}</${root}></Document>`
  )
}

const entries = ({ bookings = [], currency = "EUR", day }: StatementParts) =>
  bookings.map((one) => camtEntry(one, currency, day)).join("")

/** camt.053 with these statements. */
export const camt053 = (...statements: ReadonlyArray<StatementParts>): string =>
  message(false, statements.map((one) => `<Stmt>${camtHead(one, false)}${entries(one)}</Stmt>`).join(""))

/** camt.052 with these reports. */
export const camt052 = (...reports: ReadonlyArray<StatementParts>): string =>
  message(true, reports.map((one) => `<Rpt>${camtHead(one, true)}${entries(one)}</Rpt>`).join(""))

/** camt.053 of one statement in pieces: what is before the entries, and what is after them. */
export const camtFrame = (parts: StatementParts): readonly [head: string, tail: string] => {
  const [head, tail] = message(false, `<Stmt>${camtHead(parts, false)}\n</Stmt>`).split("\n</Stmt>") as [string, string]
  return [head, `</Stmt>${tail}`]
}

const mtDay = (day: string) => day.slice(2).replaceAll("-", "")
const mtAmount = (amount: string) => unsigned(amount).replace(".", ",")
const mtBalance = (tag: string, amount: string, currency: string, day: string) =>
  `:${tag}:${amount.startsWith("-") ? "D" : "C"}${mtDay(day)}${currency}${mtAmount(amount)}`

/** MT940 of one statement. */
export const mt940 = (parts: StatementParts): string => {
  const { bookings = [], currency = "EUR", day, iban = ownIban, number = 1, opening = "0.00" } = parts
  return [
    ":20:STARTUMSE",
    `:25:${iban}`,
    `:28C:${String(number).padStart(5, "0")}/001`,
    mtBalance("60F", opening, currency, day),
    ...bookings.flatMap(({ amount, endToEndId, iban: other, name, on = day, reference, text = "" }) => [
      `:61:${mtDay(on)}${mtDay(on).slice(2)}${amount.startsWith("-") ? "D" : "C"}${mtAmount(amount)}NTRFNONREF` +
        (reference === undefined ? "" : `//${reference}`),
      `:86:166?00GUTSCHRIFT${endToEndId === undefined ? "" : `?20EREF+${endToEndId}`}?21SVWZ+${text}` +
        `${other === undefined ? "" : `?31${other}`}${name === undefined ? "" : `?32${name}`}`
    ]),
    mtBalance("62F", closingOf(parts), currency, day),
    "-",
    ""
  ].join("\r\n")
}
