import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { call, request } from "../../../lib/Call.ts"
import { useFirstFocus } from "../../../lib/FirstFocus.ts"
import { bytes } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import type { Problem } from "../../../lib/Problem.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { problemFrom } from "../../../lib/Doing.ts"
import { accountLabel, ownTenant } from "../Accounts.ts"
import { told } from "../Refusals.ts"
import type { Account, BankFile } from "../Shapes.ts"
import { FileOutcome } from "./FileOutcome.tsx"

const t = words({
  en: {
    title: "Import statements",
    drop: "Drop files here, or choose them.",
    choose: "Choose files",
    hint: "camt.052, camt.053, MT940, MT942, or a ZIP file of these. The statements belong to the accounts with their IBANs.",
    account: "Account of statements without IBAN",
    none: "none",
    close: "Close",
    sending: "is being sent …",
    result: "Imported files",
    duplicate: "known already",
    name: (name: string, size: string) => `${name} (${size})`
  },
  de: {
    title: "Auszüge importieren",
    drop: "Ziehen Sie Dateien hierher, oder wählen Sie sie.",
    choose: "Dateien wählen",
    hint: "camt.052, camt.053, MT940, MT942 oder eine ZIP-Datei davon. Die Auszüge gehören zu den Konten mit ihren IBANs.",
    account: "Konto für Auszüge ohne IBAN",
    none: "keines",
    close: "Schließen",
    sending: "wird gesendet …",
    result: "Importierte Dateien",
    duplicate: "schon bekannt",
    name: (name: string, size: string) => `${name} (${size})`
  }
})

/** Upload timeout. Unit: milliseconds. Reason: 256 MiB over a slow line. */
const patience = 30 * 60_000

/** Interval of looks at files that are being read. Unit: milliseconds. */
const look = 1_000

/** One chosen file, and the files in it as far as the server knows them. */
interface Upload {
  readonly key: number
  readonly name: string
  readonly size: number
  readonly problem?: Problem
  readonly files?: ReadonlyArray<{ readonly duplicate: boolean; readonly file: BankFile }>
}

/** Takes files with statements by drag and drop or from a dialog, and shows what became of each. */
export const Import = ({
  account,
  accounts,
  imported,
  shut
}: {
  readonly accounts: ReadonlyArray<Account>
  /** Initial choice of the account; empty for none. */
  readonly account: string
  readonly imported: () => void
  readonly shut: () => void
}) => {
  const input = useRef<HTMLInputElement>(null)
  const choose = useFirstFocus<HTMLButtonElement>()
  const into = useSignal(account)
  const over = useSignal(false)
  const uploads = useSignal<ReadonlyArray<Upload>>([])
  const change = (key: number, more: Partial<Upload>) => {
    uploads.value = uploads.peek().map((one) => (one.key === key ? { ...one, ...more } : one))
  }
  const add = async (files: ReadonlyArray<File>) => {
    for (const file of files) {
      const key = uploads.peek().length
      uploads.value = [...uploads.peek(), { key, name: file.name, size: file.size }]
      try {
        const query = new URLSearchParams({
          ...ownTenant(),
          name: file.name,
          ...(into.peek() === "" ? {} : { account: into.peek() })
        })
        const answer = await request(`/api/v1/crm/ebics/statements/import?${query}`, {
          method: "POST",
          headers: { "content-type": "application/octet-stream" },
          body: file,
          signal: AbortSignal.timeout(patience)
        })
        change(key, await answer.json())
        imported()
      } catch (error) {
        change(key, { problem: problemFrom(error) })
      }
    }
  }
  const unread = uploads.value.some(({ files }) => files?.some(({ file }) => file.state === "waiting"))
  useEffect(() => {
    if (!unread) return
    const timer = setInterval(() => {
      for (const upload of uploads.peek())
        for (const { file } of upload.files ?? [])
          if (file.state === "waiting")
            // A failed look is ignored; the next one may succeed.
            call("GET /api/v1/crm/ebics/files/:uuid", { params: { uuid: file.id } }).then(
              (now) => {
                const files = uploads.peek().find(({ key }) => key === upload.key)?.files ?? []
                change(upload.key, {
                  files: files.map((one) => (one.file.id === now.id ? { ...one, file: now } : one))
                })
                if (now.state !== "waiting") imported()
              },
              () => {}
            )
    }, look)
    return () => clearInterval(timer)
  }, [unread])
  return (
    <section class="card stack" aria-labelledby="import-statements">
      <h2 id="import-statements">{t().title}</h2>
      <div
        class={over.value ? "bank-drop over" : "bank-drop"}
        onDragOver={(event) => {
          event.preventDefault()
          over.value = true
        }}
        onDragLeave={() => (over.value = false)}
        onDrop={(event) => {
          event.preventDefault()
          over.value = false
          void add([...(event.dataTransfer?.files ?? [])])
        }}
      >
        <p>{t().drop}</p>
        <button ref={choose} type="button" class="primary" onClick={() => input.current?.click()}>
          {t().choose}
        </button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t().choose}
          onChange={({ currentTarget }) => {
            void add([...(currentTarget.files ?? [])])
            currentTarget.value = ""
          }}
        />
      </div>
      <small>{t().hint}</small>
      {accounts.length === 0 ? null : (
        <label class="bank-field">
          {t().account}
          <select value={into.value} onChange={({ currentTarget }) => (into.value = currentTarget.value)}>
            <option value="">{t().none}</option>
            {accounts.map((one) => (
              <option key={one.id} value={one.id}>
                {accountLabel(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul class="rows" aria-label={t().result} aria-live="polite">
        {uploads.value.map(({ files, key, name, problem, size }) => (
          <li key={key}>
            <strong>{t().name(name, bytes(size))}</strong>
            {problem === undefined ? null : <p class="field-error">{told(problem)}</p>}
            {problem === undefined && files === undefined ? <p class="soft">{t().sending}</p> : null}
            {(files ?? []).map(({ duplicate, file }) => (
              <p key={file.id} class="bank-line">
                {files?.length === 1 ? null : file.name}{" "}
                {duplicate ? <Badge tone="quiet">{t().duplicate}</Badge> : null} <FileOutcome file={file} />
              </p>
            ))}
          </li>
        ))}
      </ul>
      <div class="page-actions">
        <button type="button" onClick={shut}>
          {t().close}
        </button>
      </div>
    </section>
  )
}
