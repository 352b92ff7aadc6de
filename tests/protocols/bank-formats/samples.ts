/** Files for tests, written for the standard. */
export const iban = "DE89370400440532013000"

/** A camt message around statements. */
export const camt = (version: string, content: string, prefix = "") => {
  const isReport = version.startsWith("camt.052")
  const [message, part] = isReport ? ["BkToCstmrAcctRpt", "Rpt"] : ["BkToCstmrStmt", "Stmt"]
  const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${version}"><${message}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-07T03:00:00+01:00</CreDtTm></GrpHdr><${part}><Id>S1</Id><ElctrncSeqNb>7</ElctrncSeqNb><CreDtTm>2026-01-07T03:00:00+01:00</CreDtTm><FrToDt><FrDtTm>2026-01-06T00:00:00+01:00</FrDtTm><ToDtTm>2026-01-06T24:00:00+01:00</ToDtTm></FrToDt><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy><Svcr><FinInstnId>${version.endsWith("02") ? "<BIC>COBADEFFXXX</BIC>" : "<BICFI>COBADEFFXXX</BICFI>"}</FinInstnId></Svcr></Acct>${balance("OPBD", "CRDT", "100.00")}${balance("CLBD", "DBIT", "5.5")}${content}</${part}></${message}></Document>`
  const named =
    prefix === "" ? text : text.replace(/<(\/?)(?=[A-Za-z])/g, `<$1${prefix}:`).replace("xmlns=", `xmlns:${prefix}=`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${named}`
}

const balance = (code: string, side: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Dt><Dt>2026-01-06</Dt></Dt></Bal>`

export interface EntryParts {
  readonly amount?: string
  readonly currency?: string
  readonly side?: "CRDT" | "DBIT"
  readonly reversal?: boolean
  readonly status?: string
  readonly details?: string
  readonly rest?: string
}

export const entry = ({
  amount = "250.50",
  currency = "EUR",
  details = "",
  rest = "",
  reversal,
  side = "CRDT",
  status = "<Cd>BOOK</Cd>"
}: EntryParts = {}) =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd>${reversal === undefined ? "" : `<RvslInd>${reversal}</RvslInd>`}<Sts>${status}</Sts><BookgDt><Dt>2026-01-06</Dt></BookgDt><ValDt><DtTm>2026-01-07T01:00:00+01:00</DtTm></ValDt><AcctSvcrRef>BANKREF1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF+166+9310+00931</Cd><Issr>DK</Issr></Prtry></BkTxCd>${rest}${details === "" ? "" : `<NtryDtls>${details}</NtryDtls>`}<AddtlNtryInf>SEPA-Gutschrift</AddtlNtryInf></Ntry>`

/** A detail of version 08 with both parties. */
export const detail = (
  parts: {
    readonly amount?: string
    readonly side?: string
    readonly reference?: string
    readonly text?: string
    readonly other?: string
    readonly weAre?: "Cdtr" | "Dbtr"
  } = {}
) => {
  const {
    amount,
    other = "DE02120300000000202051",
    reference = "RE-2026-0042",
    side,
    text = "Rechnung RE-2026-0042",
    weAre = "Cdtr"
  } = parts
  const party = (role: string) => {
    const mine = role === weAre
    return `<${role}><Pty><Nm>${mine ? "Wir GmbH" : "Mustermann &amp; Söhne"}</Nm></Pty></${role}><${role}Acct><Id><IBAN>${mine ? iban : other}</IBAN></Id></${role}Acct>`
  }
  return `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId><MndtId>M-1</MndtId></Refs>${amount === undefined ? "" : `<Amt Ccy="EUR">${amount}</Amt>`}${side === undefined ? "" : `<CdtDbtInd>${side}</CdtDbtInd>`}<RltdPties>${party("Dbtr")}${party("Cdtr")}</RltdPties><RltdAgts><DbtrAgt><FinInstnId><BICFI>BYLADEM1001</BICFI></FinInstnId></DbtrAgt></RltdAgts><Purp><Cd>SALA</Cd></Purp><RmtInf><Ustrd>${text}</Ustrd><Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>CINV</Cd></CdOrPrtry></Tp><Nb>4711</Nb></RfrdDocInf><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>`
}

export const mt940 = [
  ":20:STARTUMSE",
  ":25:37040044/0532013000EUR",
  ":28C:00007/001",
  ":60F:C260105EUR1000,",
  ":61:2601060106CR250,50NTRFNONREF//BANKREF1",
  "/OCMT/EUR250,50/",
  ":86:166?00GUTSCHRIFT?109310?20EREF+RE-2026-0042?21SVWZ+Rechnung vom 5.1.? ?2",
  "2Nr. RE-2026-0042 Danke schö?23n?30COBADEFFXXX?31DE021203000000002020",
  "51?32Mustermann und So?33ehne?34000",
  ":61:2512310102RC10,NRTIKREF+",
  ":86:109?00RUECKLASTSCHRIFT?20SVWZ+",
  ":62F:C260106EUR1240,5",
  ":64:C260106EUR1240,50",
  "-",
  ""
].join("\r\n")
