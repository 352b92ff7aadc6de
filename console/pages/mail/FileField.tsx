import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import { bytes } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Problem } from "../../lib/Problem.ts"
import { Icon } from "../../parts/Icon.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { problemFrom } from "./Doing.ts"
import { fetched } from "./Download.ts"
import type { Letter } from "./Letter.ts"
import { maxFile, upload } from "./Upload.ts"

const t = words({
  en: { files: "Files", add: "Attach files", remove: (name: string) => `Remove ${name}`, large: (name: string) => `${name} is larger than 25 MB.`, underWay: (name: string) => `${name} is being uploaded` },
  de: { files: "Dateien", add: "Dateien anhängen", remove: (name: string) => `${name} entfernen`, large: (name: string) => `${name} ist größer als 25 MB.`, underWay: (name: string) => `${name} wird hochgeladen` }
})

interface Moving {
  readonly name: string
  /** Part of 1. */
  readonly part: number
  readonly stop: AbortController
}

interface Props {
  readonly account: string | undefined
  readonly letter: Letter
  /** Told how many are still on their way. */
  readonly moving: (count: number) => void
}

/** Files that go along: chosen here, or those of the mail that is forwarded, fetched and put up again. */
export const FileField = ({ account, letter, moving }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const under = useSignal<ReadonlyArray<Moving>>([])
  const problem = useSignal<Problem | undefined>(undefined)
  useEffect(() => moving(under.value.length), [under.value.length])
  useEffect(() => () => {
    for (const { stop } of under.peek()) stop.abort()
  }, [])

  const put = async (name: string, get: (signal: AbortSignal) => Promise<Blob>) => {
    const stop = new AbortController()
    const own = (change: Partial<Moving>) => (under.value = under.value.map((one) => (one.stop === stop ? { ...one, ...change } : one)))
    under.value = [...under.value, { name, part: 0, stop }]
    try {
      const file = await get(stop.signal)
      if (file.size > maxFile) throw new Problem(413, "too_large", t().large(name))
      const made = await upload(account, name, file, (part) => own({ part }), stop.signal)
      letter.files.value = [...letter.files.value, made]
    } catch (error) {
      if (!stop.signal.aborted) problem.value = problemFrom(error)
    } finally {
      under.value = under.value.filter((one) => one.stop !== stop)
    }
  }
  const add = (files: Iterable<File>) => {
    problem.value = undefined
    for (const file of files) void put(file.name, () => Promise.resolve(file))
  }
  useEffect(() => {
    if (letter.files.peek().length > 0) return
    for (const { name, path, type } of letter.carry) void put(name, async (signal) => new Blob([await fetched(path, { signal })], { type }))
  }, [])

  const remove = (id: string) => {
    letter.files.value = letter.files.value.filter((file) => file.id !== id)
    // It is forgotten by itself after a day.
    call("DELETE /api/v1/mail/webmail/attachments/:id", { params: { id }, query: { account } }).catch(() => undefined)
  }
  return (
    <div class="field">
      <span class="label">{t().files}</span>
      <div class="files" onDragOver={(event) => event.preventDefault()} onDrop={(event) => {
        event.preventDefault()
        add(event.dataTransfer?.files ?? [])
      }}>
        <ul>
          {letter.files.value.map(({ id, name, size }) => (
            <li key={id}>
              <button type="button" aria-label={t().remove(name)} onClick={() => remove(id)}><Icon name="clip" /><span class="name">{name}</span> <small>{bytes(size)}</small><Icon name="close" /></button>
            </li>
          ))}
          {under.value.map(({ name, part, stop }, at) => (
            <li key={`${name} ${at}`} class="file">
              <span class="name">{name}</span><progress value={part} max={1} aria-label={t().underWay(name)} />
              <button type="button" class="plain" aria-label={t().remove(name)} onClick={() => stop.abort()}><Icon name="close" /></button>
            </li>
          ))}
          <li><button type="button" onClick={() => input.current?.click()}>{t().add}</button></li>
        </ul>
        <input ref={input} type="file" multiple hidden aria-label={t().add} onChange={(event) => {
          add([...event.currentTarget.files ?? []])
          event.currentTarget.value = ""
        }} />
        <Trouble problem={problem.value} />
      </div>
    </div>
  )
}
