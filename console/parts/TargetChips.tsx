import { words } from "../lib/Language.ts"
import { Icon } from "./Icon.tsx"
import type { Run } from "./RunBadges.tsx"
import "./chips.css"

type Target = Run["targets"][number]

const t = words({
  en: {
    targets: "Targets",
    more: (count: number) => `and ${count} more`,
    call: "Call",
    messenger: "Messenger",
    messenger_voice: "Voice message",
    webhook: "Webhook",
    sms: "SMS",
    pending: "waiting",
    attempting: "under way",
    delivered: "reached",
    failed: "not reached",
    uncertain: "in doubt",
    suppressed: "stopped"
  },
  de: {
    targets: "Ziele",
    more: (count: number) => `und ${count} weitere`,
    call: "Anruf",
    messenger: "Messenger",
    messenger_voice: "Sprachnachricht",
    webhook: "Webhook",
    sms: "SMS",
    pending: "wartet",
    attempting: "läuft",
    delivered: "erreicht",
    failed: "nicht erreicht",
    uncertain: "ungewiss",
    suppressed: "angehalten"
  }
})

const icons: Readonly<Record<string, string>> = {
  call: "phone",
  messenger: "mail",
  messenger_voice: "microphone",
  webhook: "globe",
  sms: "mail"
}

const tones: Readonly<Record<Target["state"], string>> = {
  pending: "quiet",
  attempting: "info",
  delivered: "success",
  failed: "error",
  uncertain: "warning",
  suppressed: "quiet"
}

/** Name of a channel for people; an unknown one stays as it is. */
export const channelTitle = (channel: string): string =>
  (t() as Readonly<Record<string, unknown>>)[channel] === undefined ? channel : t()[channel as "call"]

/** Address of a target for people: a web address without its scheme. Pure. */
export const targetText = (target: string): string => target.replace(/^https?:\/\//, "")

/** Targets of a run with their states. `all`: number of targets, when the list has only the first. */
export const TargetChips = ({ all, of }: { readonly of: ReadonlyArray<Target>; readonly all?: number }) =>
  of.length === 0 ? null : (
    <ul class="chips" aria-label={t().targets}>
      {of.map(({ channel, position, state, target }) => (
        <li key={position} class={`chip ${tones[state]}`} title={`${channelTitle(channel)} ${target}: ${t()[state]}`}>
          <Icon name={icons[channel] ?? "globe"} />
          <span class="sr">{channelTitle(channel)} </span>
          <span class="chip-text">{targetText(target)}</span>
          <span class="chip-state">{t()[state]}</span>
        </li>
      ))}
      {all !== undefined && all > of.length ? <li class="chip-more">{t().more(all - of.length)}</li> : null}
    </ul>
  )
