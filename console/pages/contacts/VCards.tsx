import { useSignal } from "@preact/signals"
import { address, request } from "../../lib/Call.ts"
import { useDoing } from "../../lib/Doing.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Trouble } from "../../parts/Trouble.tsx"
import { save } from "../mail/Download.ts"

type Imported = Answer<"POST /api/v1/mail/contacts/import">

const t = words({
  en: {
    title: "Files",
    about: "vCards are the format in which programs exchange contacts. Contacts that exist already are skipped.",
    export: "Export all as .vcf",
    import: "Import a .vcf file",
    result: (imported: string, skipped: string) => `${imported} imported, ${skipped} skipped.`,
    large: "The file is larger than 1 MiB. Export fewer contacts at once."
  },
  de: {
    title: "Dateien",
    about: "Im Format vCard tauschen Programme Kontakte aus. Schon vorhandene Kontakte werden übersprungen.",
    export: "Alle als .vcf exportieren",
    import: ".vcf-Datei importieren",
    result: (imported: string, skipped: string) => `${imported} importiert, ${skipped} übersprungen.`,
    large: "Die Datei ist größer als 1 MiB. Exportieren Sie weniger Kontakte auf einmal."
  }
})

/** Largest file. Unit: bytes. Source: mail-watcher, import of contacts. */
const maxFile = 1024 * 1024

interface Props {
  readonly account: string | undefined
  readonly imported: () => void
}

/** Import and export of contacts. */
export const VCards = ({ account, imported }: Props) => {
  const doing = useDoing()
  const result = useSignal<Imported | undefined>(undefined)
  const tooLarge = useSignal(false)
  const load = (file: File) => {
    result.value = undefined
    tooLarge.value = file.size > maxFile
    if (tooLarge.value) return
    void doing.run(async () => {
      const answer = await request(address("POST /api/v1/mail/contacts/import", {}, { account }), {
        method: "POST",
        headers: { "content-type": "text/vcard" },
        body: await file.text()
      })
      result.value = (await answer.json()) as Imported
      imported()
    })
  }
  return (
    <section class="card below-list" aria-labelledby="contact-files">
      <h2 id="contact-files">{t().title}</h2>
      <p class="soft">{t().about}</p>
      <div class="page-actions">
        <button
          type="button"
          disabled={doing.busy.value}
          onClick={() =>
            void doing.run(() => save(address("GET /api/v1/mail/contacts/export.vcf", {}, { account }), "contacts.vcf"))
          }
        >
          {t().export}
        </button>
      </div>
      <label>
        {t().import}{" "}
        <input
          type="file"
          accept=".vcf,text/vcard"
          disabled={doing.busy.value}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            currentTarget.value = ""
            if (file !== undefined) load(file)
          }}
        />
      </label>
      <Trouble problem={doing.problem.value} />
      <p role="status">
        {tooLarge.value
          ? t().large
          : result.value === undefined
            ? ""
            : t().result(number(result.value.imported), number(result.value.skipped))}
      </p>
    </section>
  )
}
