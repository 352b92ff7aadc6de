import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { words } from "../../lib/Language.ts"
import * as Device from "../../softphone/Devices.ts"
import { changeMicrophone } from "../../softphone/Phone.ts"

const t = words({
  en: {
    title: "Microphone and speaker",
    microphone: "Microphone",
    speaker: "Speaker",
    usual: "System default",
    allow: "Allow the microphone",
    why: "The devices are then listed by name, and the browser does not ask during the first call.",
    denied: "The browser does not let this page use the microphone. Allow it beside the address of the page.",
    unable: "This browser allows the microphone only on https pages.",
    number: (count: number) => `Device ${count}`
  },
  de: {
    title: "Mikrofon und Lautsprecher",
    microphone: "Mikrofon",
    speaker: "Lautsprecher",
    usual: "Systemvorgabe",
    allow: "Mikrofon erlauben",
    why: "Danach sehen Sie die Geräte mit ihren Namen, und beim ersten Anruf fragt der Browser nicht mehr.",
    denied: "Der Browser lässt diese Seite nicht an das Mikrofon. Erlauben Sie es neben der Adresse der Seite.",
    unable: "Dieser Browser gibt einer Seite nur über https ein Mikrofon.",
    number: (count: number) => `Gerät ${count}`
  }
})

/** Selects microphone and speaker; an active call switches at once. */
export const Devices = () => {
  const denied = useSignal(false)
  useEffect(() => void Device.look().catch(() => undefined), [])
  const [microphones, speakers] = [Device.microphones.value, Device.speakers.value]
  const known = microphones.some(({ label }) => label !== "")
  return (
    <section class="card" aria-labelledby="devices">
      <h2 id="devices">{t().title}</h2>
      {!Device.able() ? <p class="field-error">{t().unable}</p> : null}
      {Device.able() && !known ? (
        <p class="hint">
          <button
            type="button"
            onClick={() =>
              void Device.allow().then(
                () => (denied.value = false),
                () => (denied.value = true)
              )
            }
          >
            {t().allow}
          </button>
          <span>{t().why}</span>
        </p>
      ) : null}
      <p role="status" class="field-error">
        {denied.value ? t().denied : ""}
      </p>
      <div class="filters">
        <Choice
          label={t().microphone}
          name="microphone"
          of={microphones}
          chosen={Device.microphone.value}
          choose={(id) => {
            Device.choose("microphone", id)
            changeMicrophone()
          }}
        />
        {speakers.length > 0 && "setSinkId" in HTMLMediaElement.prototype ? (
          <Choice
            label={t().speaker}
            name="speaker"
            of={speakers}
            chosen={Device.speaker.value}
            choose={(id) => Device.choose("speaker", id)}
          />
        ) : null}
      </div>
    </section>
  )
}

const Choice = ({
  choose,
  chosen,
  label,
  name,
  of
}: {
  readonly label: string
  readonly name: string
  readonly of: ReadonlyArray<Device.Device>
  readonly chosen: string
  readonly choose: (id: string) => void
}) => (
  <label>
    {label}
    <select
      name={name}
      value={of.some(({ id }) => id === chosen) ? chosen : ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">{t().usual}</option>
      {of.map((one, index) => (
        <option key={one.id} value={one.id}>
          {one.label === "" ? t().number(index + 1) : one.label}
        </option>
      ))}
    </select>
  </label>
)
