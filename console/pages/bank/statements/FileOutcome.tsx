import { number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import type { BankFile } from "../Shapes.ts"
import { fileProblemText } from "./FindingWords.ts"

const t = words({
  en: {
    waiting: "is being read …",
    parsed: "read",
    failed: "not readable",
    removed: "content deleted after ten years",
    statements: (fresh: number, known: number) =>
      [
        `${number(fresh)} ${fresh === 1 ? "statement" : "statements"}`,
        ...(known === 0 ? [] : [`${number(known)} known already`])
      ].join(", ")
  },
  de: {
    waiting: "wird gelesen …",
    parsed: "gelesen",
    failed: "nicht lesbar",
    removed: "Inhalt nach zehn Jahren gelöscht",
    statements: (fresh: number, known: number) =>
      [
        `${number(fresh)} ${fresh === 1 ? "Auszug" : "Auszüge"}`,
        ...(known === 0 ? [] : [`${number(known)} schon bekannt`])
      ].join(", ")
  }
})

export const fileStates = ["waiting", "parsed", "failed", "removed"] as const

export const fileStateTitle = (state: BankFile["state"]): string => t()[state]

const tones = { waiting: "info", parsed: "success", failed: "error", removed: "quiet" } as const

/** What became of a file: its statements, or why it could not be read. */
export const FileOutcome = ({ file }: { readonly file: BankFile }) => (
  <>
    <Badge tone={tones[file.state]}>{t()[file.state]}</Badge>{" "}
    {file.state !== "parsed" ? null : (
      <a href={`/console/bank/statements?file=${file.id}&state=`}>
        {t().statements(file.statements, file.known_statements)}
      </a>
    )}
    {file.problem === null ? null : <FileTrouble problem={file.problem} />}
  </>
)

const FileTrouble = ({ problem }: { readonly problem: NonNullable<BankFile["problem"]> }) => {
  const { detail, text } = fileProblemText(problem)
  return (
    <>
      <span class="field-error">{text}</span>
      {detail === null ? null : <small class="block soft">{detail}</small>}
    </>
  )
}
