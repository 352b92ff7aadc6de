import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import { useDoing } from "../../lib/Doing.ts"
import { errorsOf } from "../telephony/Refusals.ts"
import { told } from "./Refusals.ts"
import type { DnsRecord } from "./Shapes.ts"

const t = words({
  en: {
    add: "Add a record",
    change: "Change a record",
    type: "Type",
    name: "Name",
    nameHint: "Below the domain; @ is the domain itself.",
    content: "Content",
    ttl: "Time to live (TTL), in seconds",
    save: "Save",
    saving: "Saving …",
    cancel: "Cancel"
  },
  de: {
    add: "Eintrag hinzufügen",
    change: "Eintrag ändern",
    type: "Typ",
    name: "Name",
    nameHint: "Unterhalb der Domain; @ ist die Domain selbst.",
    content: "Inhalt",
    ttl: "Lebensdauer (TTL) in Sekunden",
    save: "Speichern",
    saving: "Wird gespeichert …",
    cancel: "Abbrechen"
  }
})

/** Example content of each record type. */
const samples = {
  A: "192.0.2.1",
  AAAA: "2001:db8::1",
  CNAME: "www.example.org",
  MX: "10 mail.example.org",
  TXT: "v=spf1 -all",
  SRV: "0 1 993 mail.example.org",
  CAA: '0 issue "letsencrypt.org"'
} as const
type Type = keyof typeof samples
const types = Object.keys(samples) as ReadonlyArray<Type>

interface Props {
  readonly domainId: number
  /** Undefined to create a record. */
  readonly record: DnsRecord | undefined
  readonly saved: () => void
  readonly shut: () => void
}

export const RecordForm = ({ domainId, record, saved, shut }: Props) => {
  const doing = useDoing()
  const form = useFirstFocus<HTMLFormElement>("select, input")
  const type = useSignal<Type>((record?.type as Type | undefined) ?? "A")
  const problem = doing.problem.value
  const errors = errorsOf(problem)
  const submit = (event: Event) => {
    event.preventDefault()
    const given = new FormData(form.current!)
    const payload = {
      type: type.value,
      name: String(given.get("name")).trim(),
      content: String(given.get("content")).trim(),
      ttl: Number(given.get("ttl"))
    }
    void doing
      .run(() =>
        record === undefined
          ? call("POST /api/v1/domains/:id/records", { params: { id: domainId }, payload })
          : call("PUT /api/v1/domains/:id/records/:record_id", {
              params: { id: domainId, record_id: record.id },
              payload
            })
      )
      .then((done) => done && saved())
  }
  const error = (name: string) =>
    errors.has(name) ? (
      <small class="field-error" id={`record-${name}-error`}>
        {errors.get(name)}
      </small>
    ) : null
  const marked = (name: string) =>
    errors.has(name) ? ({ "aria-invalid": true, "aria-describedby": `record-${name}-error` } as const) : {}
  return (
    <form ref={form} class="stack record-form" aria-labelledby="record-form" onSubmit={submit}>
      <h3 id="record-form">{record === undefined ? t().add : t().change}</h3>
      <label>
        {t().type}
        <select
          name="type"
          value={type.value}
          onChange={({ currentTarget }) => (type.value = currentTarget.value as Type)}
          {...marked("type")}
        >
          {types.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        {error("type")}
      </label>
      <label>
        {t().name}
        <input
          name="name"
          required
          maxLength={254}
          defaultValue={record?.name ?? "@"}
          autocomplete="off"
          spellcheck={false}
          {...marked("name")}
        />
        {error("name") ?? <small>{t().nameHint}</small>}
      </label>
      <label>
        {t().content}
        <input
          name="content"
          required
          maxLength={4096}
          defaultValue={record?.content ?? ""}
          placeholder={samples[type.value]}
          autocomplete="off"
          spellcheck={false}
          {...marked("content")}
        />
        {error("content")}
      </label>
      <label>
        {t().ttl}
        <input
          name="ttl"
          type="number"
          required
          min={60}
          max={604_800}
          defaultValue={String(record?.ttl ?? 3600)}
          {...marked("ttl")}
        />
        {error("ttl")}
      </label>
      <div role="alert" class={problem === undefined ? "" : "trouble"}>
        {problem === undefined ? null : <p>{told(problem)}</p>}
      </div>
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {doing.busy.value ? t().saving : t().save}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
