import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { ConfirmCode } from "./ConfirmCode.tsx"
import { Proof } from "./Proof.tsx"

const t = words({
  en: {
    title: "Set up codes by messenger",
    chat: "Number of your chat with the bot",
    sent: "A code is on its way to the chat. It is valid for five minutes."
  },
  de: {
    title: "Codes per Messenger einrichten",
    chat: "Nummer Ihres Chats mit dem Bot",
    sent: "Ein Code ist zum Chat unterwegs. Er gilt fünf Minuten."
  }
})

/** Sets up a chat for codes, and asks for the first code as proof. */
export const MessengerSetUp = ({
  leave,
  over
}: {
  readonly leave: () => void
  readonly over: (codes: ReadonlyArray<string>) => void
}) => {
  const chat = useSignal("")
  const sent = useSignal(false)
  if (sent.value) {
    return (
      <div class="inset">
        <p>{t().sent}</p>
        <ConfirmCode
          title={t().title}
          leave={leave}
          work={async (code) =>
            over((await call("POST /api/v1/auth/messenger/confirm", { payload: { code } })).recovery_codes)
          }
        />
      </div>
    )
  }
  return (
    <div class="stack">
      <label>
        {t().chat}{" "}
        <input
          name="chat"
          inputMode="numeric"
          value={chat.value}
          onInput={(event) => (chat.value = event.currentTarget.value.trim())}
        />
      </label>
      <Proof
        title={t().title}
        leave={leave}
        work={async (payload) => {
          await call("POST /api/v1/auth/messenger", { payload: { ...payload, chat_id: chat.value } })
          sent.value = true
        }}
      />
    </div>
  )
}
