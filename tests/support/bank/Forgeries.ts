/** Changes to a signed answer of a bank that a client must notice. Each changes every answer that it can apply to. */
const replaced = (pattern: RegExp, by: string) => (answer: string) => answer.replace(pattern, by)

export const forgeries: Readonly<Record<string, (answer: string) => string>> = {
  "no signature": replaced(/<AuthSignature>.*<\/AuthSignature>/s, ""),
  "a changed signature": replaced(/<ds:SignatureValue>..../, "<ds:SignatureValue>AAAA"),
  "a changed digest": replaced(/<ds:DigestValue>..../, "<ds:DigestValue>AAAA"),
  "a changed return code of the header": replaced(/(<mutable>.*?<ReturnCode>)\d{6}/s, "$1011000"),
  "a changed return code of the body": replaced(/>\d{6}(<\/ReturnCode><\/body>)/, ">090005$1"),
  "a changed text of the header": replaced(/<ReportText>[^<]*/, "<ReportText>forged"),
  "a header that is not signed": replaced(/<header authenticate="true">/, "<header>"),
  "a return code that is not signed": replaced(/<ReturnCode authenticate="true">/, "<ReturnCode>")
}
