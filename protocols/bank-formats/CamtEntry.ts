/**
 * Meaning of the parts of camt.052 and camt.053, versions 02 to 13. Pure. Version 02 has other places for amounts,
 * status and BIC, and version 08 wraps names of parties. Source: ISO 20022 message definitions; DK, Anlage 3.
 */
import { type Amount, negated, parseAmount } from "./Amount.ts"
import { failure, malformed } from "./BankFormatsError.ts"
import { at, type CamtNode, child, childrenOf, text } from "./CamtNode.ts"
import type { Account, Balance, Entry, Party, Remittance, Transaction, TransactionCode } from "./Statement.ts"
import { day, defined, gvcOf, joinLines, reference } from "./Values.ts"

export const accountOf = (node: CamtNode | undefined): Account =>
  defined({
    iban: text(node, "Id", "IBAN")?.replaceAll(" ", ""),
    other: text(node, "Id", "Othr", "Id"),
    bic: bicOf(at(node, "Svcr", "FinInstnId")),
    currency: text(node, "Ccy"),
    owner: text(node, "Ownr", "Nm")
  })

/** BIC in version 02, BICFI since version 04. */
const bicOf = (node: CamtNode | undefined) => text(node, "BICFI") ?? text(node, "BIC")

export const balanceOf = (node: CamtNode): Balance => ({
  code: text(node, "Tp", "CdOrPrtry", "Cd") ?? text(node, "Tp", "CdOrPrtry", "Prtry") ?? "",
  intermediate: text(node, "Tp", "SubTp", "Cd") === "INTM",
  amount: signed(amountOf(child(node, "Amt")), text(node, "CdtDbtInd")),
  date: dateOf(child(node, "Dt")) ?? missing("a balance has no date")
})

const missing = (why: string): never => {
  throw malformed(why)
}

const amountOf = (node: CamtNode | undefined): Amount => {
  if (node?.currency === undefined) throw failure({ _tag: "BadAmount" })
  return parseAmount(node.text.trim(), node.currency, ".")
}

const signed = (amount: Amount, indicator: string | undefined): Amount => {
  if (indicator === "CRDT") return amount
  return indicator === "DBIT" ? negated(amount) : missing("an amount is neither credit nor debit")
}

/** `Dt` is a day, `DtTm` a time whose day counts. */
const dateOf = (node: CamtNode | undefined): string | undefined => {
  const found = text(node, "Dt") ?? text(node, "DtTm")
  return found === undefined ? undefined : day(found)
}

/** A transaction before the amount of its entry is known. */
export interface Details {
  readonly amount: Amount | undefined
  readonly indicator: string | undefined
  readonly node: CamtNode
}

/** TxDtls. Version 02 has the amount in AmtDtls/TxAmt, later versions in Amt. */
export const detailsOf = (node: CamtNode): Details => {
  const amount = child(node, "Amt") ?? at(node, "AmtDtls", "TxAmt", "Amt")
  return { amount: amount === undefined ? undefined : amountOf(amount), indicator: text(node, "CdtDbtInd"), node }
}

/** Reads an entry. `ownIban`: IBAN of the account; the counterparty is the party with another IBAN. */
export const entryOf = (node: CamtNode, details: ReadonlyArray<Details>, ownIban: string | undefined): Entry => {
  const indicator = text(node, "CdtDbtInd")
  const amount = signed(amountOf(child(node, "Amt")), indicator)
  const reversal = ["true", "1"].includes(text(node, "RvslInd") ?? "")
  const code = codeOf(child(node, "BkTxCd"))
  const isBatch = childrenOf(node, "NtryDtls").some((one) => Number(text(one, "Btch", "NbOfTxs") ?? "1") > 1)
  const listed = details.map((one) => ({
    ...one,
    amount: one.amount === undefined ? undefined : signed(one.amount, one.indicator ?? indicator)
  }))
  const info = text(node, "AddtlNtryInf")
  const side = { credit: amount.minor >= 0n, reversal, ownIban, code }
  const [first] = listed
  const isListed = listed.length > 1 && sumsTo(listed, amount)
  const single = listed.length === 1 && !isBatch ? first : undefined
  let transactions: ReadonlyArray<Transaction>
  if (isListed) transactions = listed.map((one) => transactionOf(one.node, one.amount ?? amount, side))
  else if (single !== undefined) transactions = [transactionOf(single.node, amount, side)]
  else transactions = [bare(amount, code, info)]
  let finding: Entry["finding"]
  if (listed.length === 0 && isBatch) finding = "DetailsElsewhere"
  else if (listed.length > 0 && !isListed && single === undefined) finding = "DetailsDoNotSum"
  return defined({
    amount,
    reversal,
    status: statusOf(child(node, "Sts")),
    bookingDate: dateOf(child(node, "BookgDt")),
    valueDate: dateOf(child(node, "ValDt")),
    reference: text(node, "NtryRef"),
    bankReference: reference(text(node, "AcctSvcrRef")),
    code,
    info,
    transactions,
    finding
  })
}

const sumsTo = (listed: ReadonlyArray<{ readonly amount: Amount | undefined }>, total: Amount): boolean => {
  let sum = 0n
  for (const { amount } of listed) {
    if (amount === undefined || amount.currency !== total.currency) return false
    sum += amount.minor
  }
  return sum === total.minor
}

const bare = (amount: Amount, code: TransactionCode, info: string | undefined): Transaction => ({
  amount,
  counterparty: {},
  remittance: { lines: [], text: info ?? "", references: [], documents: [] },
  code
})

/** Text in versions 02 and 04, `Cd` or `Prtry` since version 08. */
const statusOf = (node: CamtNode | undefined): Entry["status"] => {
  const status = text(node, "Cd") ?? text(node, "Prtry") ?? text(node)
  if (status === "BOOK") return "Booked"
  if (status === "PDNG" || status === "FUTR") return "Pending"
  return status === "INFO" ? "Information" : missing("the status of an entry is unknown")
}

const codeOf = (node: CamtNode | undefined): TransactionCode => {
  if (node === undefined) return noCode
  const proprietary = text(node, "Prtry", "Cd")
  const isGerman = ["DK", "ZKA"].includes(text(node, "Prtry", "Issr") ?? "DK")
  return defined({
    domain: text(node, "Domn", "Cd"),
    family: text(node, "Domn", "Fmly", "Cd"),
    subFamily: text(node, "Domn", "Fmly", "SubFmlyCd"),
    proprietary,
    ...(proprietary !== undefined && isGerman ? gvcOf(proprietary) : {})
  })
}

const noCode: TransactionCode = {}

interface Side {
  readonly credit: boolean
  readonly reversal: boolean
  readonly ownIban: string | undefined
  readonly code: TransactionCode
}

const transactionOf = (node: CamtNode, amount: Amount, side: Side): Transaction => {
  const refs = child(node, "Refs")
  const own = codeOf(child(node, "BkTxCd"))
  const isDebtor = otherIsDebtor(child(node, "RltdPties"), side)
  return defined({
    amount,
    endToEndId: reference(text(refs, "EndToEndId")),
    mandateId: reference(text(refs, "MndtId")),
    creditorId: partyId(child(node, "RltdPties")),
    instructionId: reference(text(refs, "InstrId")),
    paymentInformationId: reference(text(refs, "PmtInfId")),
    transactionId: reference(text(refs, "TxId")),
    bankReference: reference(text(refs, "AcctSvcrRef")),
    counterparty: partyOf(node, isDebtor),
    ultimateParty: nameOf(at(node, "RltdPties", isDebtor ? "UltmtDbtr" : "UltmtCdtr")),
    remittance: remittanceOf(child(node, "RmtInf")),
    purpose: text(node, "Purp", "Cd") ?? text(node, "Purp", "Prtry"),
    returnReason: text(node, "RtrInf", "Rsn", "Cd") ?? text(node, "RtrInf", "Rsn", "Prtry"),
    code: own === noCode || Object.keys(own).length === 0 ? side.code : own,
    info: text(node, "AddtlTxInf")
  })
}

/** The debtor of a credit and the creditor of a debit; a reversal keeps the roles of the original payment. */
const otherIsDebtor = (parties: CamtNode | undefined, { credit, ownIban, reversal }: Side): boolean => {
  const expected = credit !== reversal
  const debtor = text(parties, "DbtrAcct", "Id", "IBAN")?.replaceAll(" ", "")
  const creditor = text(parties, "CdtrAcct", "Id", "IBAN")?.replaceAll(" ", "")
  if (ownIban !== undefined && debtor !== creditor) {
    if (debtor === ownIban) return false
    if (creditor === ownIban) return true
  }
  return expected
}

const partyOf = (node: CamtNode, isDebtor: boolean): Party => {
  const role = isDebtor ? "Dbtr" : "Cdtr"
  const account = at(node, "RltdPties", `${role}Acct`, "Id")
  return defined({
    name: nameOf(at(node, "RltdPties", role)),
    iban: text(account, "IBAN")?.replaceAll(" ", ""),
    account: text(account, "Othr", "Id"),
    bic: bicOf(at(node, "RltdAgts", `${role}Agt`, "FinInstnId"))
  })
}

/** Name of a party: directly in versions 02 to 07, in Pty or Agt since version 08. */
const nameOf = (party: CamtNode | undefined): string | undefined =>
  text(party, "Nm") ?? text(party, "Pty", "Nm") ?? text(party, "Agt", "FinInstnId", "Nm")

/** Creditor identifier of a direct debit. */
const partyId = (parties: CamtNode | undefined): string | undefined =>
  text(at(parties, "Cdtr", "Id", "PrvtId"), "Othr", "Id") ??
  text(at(parties, "Cdtr", "Pty", "Id", "PrvtId"), "Othr", "Id")

const remittanceOf = (node: CamtNode | undefined): Remittance => {
  const lines = childrenOf(node, "Ustrd").map((line) => line.text)
  const structured = childrenOf(node, "Strd")
  if (structured.length === 0) return { lines, text: joinLines(lines).trim(), references: [], documents: [] }
  const extra = structured.flatMap((one) => childrenOf(one, "AddtlRmtInf").map((line) => line.text))
  return {
    lines: [...lines, ...extra],
    text: joinLines([...lines, ...extra]).trim(),
    references: structured.flatMap((one) => text(one, "CdtrRefInf", "Ref") ?? []),
    documents: structured.flatMap((one) =>
      childrenOf(one, "RfrdDocInf").map((document) =>
        defined({
          code: text(document, "Tp", "CdOrPrtry", "Cd"),
          number: text(document, "Nb"),
          date: dateOf(child(document, "RltdDt")) ?? text(document, "RltdDt")
        })
      )
    )
  }
}
