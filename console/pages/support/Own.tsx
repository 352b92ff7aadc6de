import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { shortMoment } from "../../lib/Format.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Outcome } from "../settings/Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { supportWords as t } from "./Words.ts"

const channels = ["web", "phone", "messenger"] as const

/** Reload interval. Unit: milliseconds. Reason: support may close the request, and the code expires. */
const every = 30_000

/** The user's own request: its code, or a form that requests one. */
export const Own = () => {
  const own = useLoad(() => call("GET /api/v1/support/sessions/mine"), [], { every })
  const doing = useDoing()
  const channel = useSignal<(typeof channels)[number]>("web")
  const message = useSignal("")
  const request = async (event: Event) => {
    event.preventDefault()
    const about = message.value.trim()
    const payload = { channel: channel.value, ...(about === "" ? {} : { message: about }) }
    await doing.run(() => call("POST /api/v1/support/sessions", { payload }))
    own.reload()
  }
  const withdraw = async () => {
    await doing.run(() => call("DELETE /api/v1/support/sessions/mine"))
    own.reload()
  }
  const limited = doing.problem.value?.code === "support_limit_reached"
  return (
    <section class="card" aria-labelledby="support-own">
      <h2 id="support-own">{t().own}</h2>
      <Loading of={own}>
        {({ session }) =>
          session === null ? (
            <form class="stack" onSubmit={(event) => void request(event)}>
              <p class="soft">{t().intro}</p>
              <label>
                {t().reach}{" "}
                <select
                  value={channel.value}
                  onChange={({ currentTarget }) =>
                    (channel.value = channels.find((one) => one === currentTarget.value) ?? "web")
                  }
                >
                  {channels.map((one) => (
                    <option key={one} value={one}>
                      {t().channels[one]}
                    </option>
                  ))}
                </select>
              </label>
              <label>
                {t().message}
                <input
                  maxLength={300}
                  value={message.value}
                  onInput={({ currentTarget }) => (message.value = currentTarget.value)}
                />
              </label>
              <div>
                <button type="submit" class="primary" disabled={doing.busy.value}>
                  {t().request}
                </button>
              </div>
            </form>
          ) : (
            <div class="inset" role="status">
              <p>
                {t().code}: <code class="secret">{session.session_code}</code>
              </p>
              <p class="soft">{t().valid(shortMoment(session.expires_at))}</p>
              <button type="button" class="small" disabled={doing.busy.value} onClick={() => void withdraw()}>
                {t().withdraw}
              </button>
            </div>
          )
        }
      </Loading>
      {limited ? (
        <div class="trouble" role="alert">
          <p>{t().limit}</p>
        </div>
      ) : (
        <Outcome of={doing} />
      )}
    </section>
  )
}
