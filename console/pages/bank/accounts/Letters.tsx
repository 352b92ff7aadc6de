import { words } from "../../../lib/Language.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { save } from "../../mail/Download.ts"
import { Refused } from "../Refusals.ts"
import type { Account } from "../Shapes.ts"

const t = words({
  en: { de: "Letters in German (PDF)", en: "Letters in English (PDF)" },
  de: { de: "Briefe auf Deutsch (PDF)", en: "Briefe auf Englisch (PDF)" }
})

/** Downloads of the INI and HIA letters, in the language of the bank. */
export const Letters = ({ account }: { readonly account: Account }) => {
  const doing = useDoing()
  return (
    <>
      <div class="page-actions">
        {(["de", "en"] as const).map((language) => (
          <button
            key={language}
            type="button"
            disabled={doing.busy.value}
            onClick={() =>
              void doing.run(() =>
                save(
                  `/api/v1/crm/ebics/accounts/${account.id}/keys/ini-letter?lang=${language}`,
                  `ebics-letter-${account.host_id}-${language}.pdf`
                )
              )
            }
          >
            {t()[language]}
          </button>
        ))}
      </div>
      <Refused problem={doing.problem.value} />
    </>
  )
}
