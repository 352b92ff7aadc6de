import { batch, type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import { bytes } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Problem } from "../../lib/Problem.ts"
import { Icon } from "../../parts/Icon.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { problemFrom } from "../../lib/Doing.ts"
import { fetched } from "./Download.ts"
import type { Letter } from "./Letter.ts"
import { maxFile, upload } from "./Upload.ts"

const t = words({
  en: {
    files: "Files",
    add: "Attach files",
    remove: (name: string) => `Remove ${name}`,
    large: (name: string) => `${name} is larger than 25 MB.`,
    underWay: (name: string) => `${name} is being uploaded`
  },
  de: {
    files: "Dateien",
    add: "Dateien anhängen",
    remove: (name: string) => `${name} entfernen`,
    large: (name: string) => `${name} ist größer als 25 MB.`,
    underWay: (name: string) => `${name} wird hochgeladen`
  }
})

interface Moving {
  readonly name: string
  /** Progress from 0 to 1. */
  readonly part: number
  readonly stop: AbortController
}

interface Props {
  readonly account: string | undefined
  readonly letter: Letter
  /** Number of running and of failed uploads. */
  readonly moving: Signal<number>
  readonly broken: Signal<number>
}

/**
 * Attachments of a letter: files that the user selects, and files of a forwarded mail, which are downloaded and
 * uploaded again.
 */
export const FileField = ({ account, broken, letter, moving }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const under = useSignal<ReadonlyArray<Moving>>([])
  const problem = useSignal<Problem | undefined>(undefined)
  const gone = useRef(false)
  useEffect(
    () => () => {
      gone.current = true
      for (const { stop } of under.peek()) stop.abort()
    },
    []
  )

  /** Uploads a file. Resolves with whether it is uploaded or no longer needed. */
  const put = async (name: string, get: (signal: AbortSignal) => Promise<Blob>): Promise<boolean> => {
    const stop = new AbortController()
    under.value = [...under.value, { name, part: 0, stop }]
    moving.value++
    try {
      const file = await get(stop.signal)
      if (file.size > maxFile) throw new Problem(413, "too_large", t().large(name))
      const made = await upload(
        account,
        name,
        file,
        (part) => (under.value = under.value.map((one) => (one.stop === stop ? { ...one, part } : one))),
        stop.signal
      )
      letter.files.value = [...letter.files.value, made]
      return true
    } catch (error) {
      if (stop.signal.aborted) return true
      broken.value++
      problem.value = problemFrom(error)
      return false
    } finally {
      batch(() => {
        moving.value--
        under.value = under.value.filter((one) => one.stop !== stop)
      })
    }
  }
  const carry = () => {
    problem.value = undefined
    for (const file of letter.carry.peek()) {
      void put(file.name, async (signal) => new Blob([await fetched(file.path, { signal })], { type: file.type })).then(
        (here) => {
          if (here && !gone.current) letter.carry.value = letter.carry.value.filter((other) => other !== file)
        }
      )
    }
  }
  const add = (files: Iterable<File>) => {
    problem.value = undefined
    for (const file of files) void put(file.name, () => Promise.resolve(file))
  }
  useEffect(carry, [])

  const remove = (id: string) => {
    letter.files.value = letter.files.value.filter((file) => file.id !== id)
    // If the deletion fails, the server removes the upload after a day.
    call("DELETE /api/v1/mail/webmail/attachments/:id", { params: { id }, query: { account } }).catch(() => undefined)
  }
  return (
    <div class="field">
      <span class="label">{t().files}</span>
      <div
        class="files"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          add(event.dataTransfer?.files ?? [])
        }}
      >
        <ul>
          {letter.files.value.map(({ id, name, size }) => (
            <li key={id}>
              <button type="button" aria-label={t().remove(name)} onClick={() => remove(id)}>
                <Icon name="clip" />
                <span class="name">{name}</span> <small>{bytes(size)}</small>
                <Icon name="close" />
              </button>
            </li>
          ))}
          {under.value.map(({ name, part, stop }, at) => (
            <li key={`${name} ${at}`} class="file">
              <span class="name">{name}</span>
              <progress value={part} max={1} aria-label={t().underWay(name)} />
              <button type="button" class="plain" aria-label={t().remove(name)} onClick={() => stop.abort()}>
                <Icon name="close" />
              </button>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => input.current?.click()}>
              {t().add}
            </button>
          </li>
        </ul>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t().add}
          onChange={(event) => {
            add([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ""
          }}
        />
        {letter.carry.value.length > 0 ? (
          <Trouble problem={problem.value} again={carry} />
        ) : (
          <Trouble problem={problem.value} />
        )}
      </div>
    </div>
  )
}
