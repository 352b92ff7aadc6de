import { signal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { GroupTest, isTested } from "./GroupTest.tsx"
import { Setting } from "./Setting.tsx"

type Item = Answer<"GET /api/v1/settings/platform">["items"][number]

const t = words({
  en: {
    alarms: "Alarms",
    webhooks: "Webhooks",
    messenger: "Messenger",
    switch: "Telephone switch",
    speech: "Speech",
    relay: "Mail relays",
    mail: "Mail",
    addresses: "Addresses",
    resolvers: "DNS resolvers",
    branding: "Name and look"
  },
  de: {
    alarms: "Alarme",
    webhooks: "Webhooks",
    messenger: "Messenger",
    switch: "Telefonanlage",
    speech: "Sprache",
    relay: "Mail-Relays",
    mail: "Mail",
    addresses: "Adressen",
    resolvers: "DNS-Resolver",
    branding: "Name und Aussehen"
  }
})

/** Settings of one group, with a test where the group has one. The address `#group-<name>` leads here. */
export const Group = ({
  changed,
  group,
  items
}: {
  readonly group: Item["group"]
  readonly items: ReadonlyArray<Item>
  readonly changed: () => void
}) => {
  // What a person has typed, by name of the setting: the test tries it before it is stored.
  const drafts = useMemo(() => new Map(items.map(({ name, value }) => [name, signal(value ?? "")])), [])
  const typed = () =>
    Object.fromEntries(
      items.flatMap(({ locked, name, value }) => {
        const text = drafts.get(name)?.value ?? ""
        return locked || text === (value ?? "") ? [] : [[name, text === "" ? null : text]]
      })
    )
  const section = useRef<HTMLElement>(null)
  // The page is filled after the browser has looked for the anchor.
  useEffect(() => {
    if (location.hash === `#group-${group}`) section.current?.scrollIntoView()
  }, [])
  return (
    <section ref={section} class="card" id={`group-${group}`} aria-labelledby={`title-${group}`}>
      <h2 id={`title-${group}`}>{t()[group]}</h2>
      {items.map((setting) => (
        <Setting key={setting.name} setting={setting} typed={drafts.get(setting.name)!} changed={changed} />
      ))}
      {isTested(group) ? <GroupTest group={group} values={typed} /> : null}
    </section>
  )
}
