import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    title: "Recovery codes",
    text: "Each opens once in place of the second factor. They are shown this once: print them or keep them in a password safe.",
    save: "Save as a file"
  },
  de: {
    title: "Wiederherstellungscodes",
    text: "Jeder öffnet einmal anstelle des zweiten Faktors. Sie werden nur dieses eine Mal gezeigt: ausdrucken oder in einem Passworttresor aufheben.",
    save: "Als Datei speichern"
  }
})

/** Shows new recovery codes once; hidden when there are none. */
export const RecoveryCodes = ({ codes }: { readonly codes: ReadonlyArray<string> }) =>
  codes.length === 0 ? null : (
    <div class="inset" role="status">
      <strong>{t().title}</strong>
      <p>{t().text}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a
          class="button"
          download="signalbox-recovery-codes.txt"
          href={`data:text/plain,${encodeURIComponent(`${codes.join("\n")}\n`)}`}
        >
          {t().save}
        </a>
      </p>
    </div>
  )
