import type { ComponentChildren } from "preact"
import { browserName } from "../lib/BrowserName.ts"
import { words } from "../lib/Language.ts"
import { Badge } from "./Badge.tsx"
import { At } from "./When.tsx"

const t = words({
  en: {
    where: "Where",
    how: "How",
    since: "Since",
    used: "Last used",
    here: "here",
    end: "End",
    endThis: (where: string) => `End the sign-in ${where}`,
    unknown: "unknown"
  },
  de: {
    where: "Wo",
    how: "Womit",
    since: "Seit",
    used: "Zuletzt benutzt",
    here: "hier",
    end: "Beenden",
    endThis: (where: string) => `Anmeldung beenden: ${where}`,
    unknown: "unbekannt"
  }
})

interface Session {
  readonly id: string
  readonly address: string | null
  readonly user_agent: string | null
  readonly created_at: string
  readonly last_used_at: string
  /** Whether the reader uses this session now. It gets no button. */
  readonly current?: boolean
}

interface Props<One extends Session> {
  /** Id of the element with the title of the table. */
  readonly labelledBy: string
  readonly sessions: ReadonlyArray<One>
  /** How the user signed in. Without it the table has no such column. */
  readonly how?: (session: One) => ComponentChildren
  readonly busy: boolean
  readonly end: (id: string) => void
}

/** Sessions of one user, with a button to end each. */
export const SessionTable = <One extends Session>({ busy, end, how, labelledBy, sessions }: Props<One>) => (
  <div class="scroll" tabIndex={0} role="region" aria-labelledby={labelledBy}>
    <table>
      <thead>
        <tr>
          <th scope="col">{t().where}</th>
          {how === undefined ? null : <th scope="col">{t().how}</th>}
          <th scope="col">{t().since}</th>
          <th scope="col">{t().used}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => {
          const { address, created_at, current = false, id, last_used_at, user_agent } = session
          const where = [user_agent === null ? t().unknown : browserName(user_agent), address]
            .filter((one) => one !== null)
            .join(", ")
          return (
            <tr key={id}>
              <td>
                {where} {current ? <Badge tone="success">{t().here}</Badge> : null}
              </td>
              {how === undefined ? null : <td>{how(session)}</td>}
              <td>
                <At at={created_at} />
              </td>
              <td>
                <At at={last_used_at} />
              </td>
              <td class="number">
                {current ? null : (
                  <button
                    type="button"
                    class="small danger"
                    disabled={busy}
                    aria-label={t().endThis(where)}
                    onClick={() => end(id)}
                  >
                    {t().end}
                  </button>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)
