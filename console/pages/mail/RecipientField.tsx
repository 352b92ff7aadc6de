import { type Signal, useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { addressIn, complete, last, plausible, split, written } from "./Recipients.ts"

const t = words({
  en: { people: "People", wrong: (what: string) => `No mail address: ${what}` },
  de: { people: "Personen", wrong: (what: string) => `Keine Mail-Adresse: ${what}` }
})

type Person = Answer<"GET /api/v1/mail/webmail/contacts/search">["items"][number]

/** Delay between the last key press and the search. Unit: milliseconds. */
const pause = 150

/** Maximum number of suggestions. */
const offered = 8

interface Props {
  readonly account: string | undefined
  readonly children?: ComponentChildren
  readonly label: string
  readonly name: string
  readonly value: Signal<string>
}

/** Text field for recipients with suggestions from the address book and earlier mails. Source: ARIA APG, combobox. */
export const RecipientField = ({ account, children, label, name, value }: Props) => {
  const people = useSignal<ReadonlyArray<Person>>([])
  const at = useSignal(-1)
  const typed = useSignal("")
  const left = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    people.value = []
    at.value = -1
    if (typed.value === "") return
    let stays = true
    const timer = setTimeout(() => {
      call("GET /api/v1/mail/webmail/contacts/search", {
        query: { account, q: typed.value.slice(0, 200), limit: String(offered) }
      }).then(
        ({ items }) => stays && (people.value = items.filter(({ address }) => address !== addressIn(typed.peek()))),
        // Without suggestions, typing continues to work.
        () => undefined
      )
    }, pause)
    return () => {
      stays = false
      clearTimeout(timer)
    }
  }, [typed.value, account])
  const choose = (person: Person) => {
    value.value = complete(value.value, written(person))
    typed.value = ""
    input.current?.focus()
  }
  const open = people.value.length > 0
  const wrong = left.value ? split(value.value).filter((piece) => !plausible(piece)) : []
  return (
    <div class="field">
      <label for={`compose-${name}`}>{label}</label>
      <div class="value">
        <input
          ref={input}
          id={`compose-${name}`}
          name={name}
          value={value.value}
          autocomplete="off"
          spellcheck={false}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={open ? `people-${name}` : undefined}
          aria-activedescendant={at.value < 0 ? undefined : `people-${name}-${at.value}`}
          aria-invalid={wrong.length > 0}
          aria-describedby={wrong.length > 0 ? `wrong-${name}` : undefined}
          onInput={(event) => {
            value.value = event.currentTarget.value
            typed.value = last(event.currentTarget.value)
            left.value = false
          }}
          onBlur={() => {
            left.value = true
            typed.value = ""
          }}
          onKeyDown={(event) => {
            if (!open) return
            const count = people.value.length
            if (event.key === "ArrowDown") at.value = (at.value + 1) % count
            else if (event.key === "ArrowUp") at.value = (at.value <= 0 ? count : at.value) - 1
            else if (event.key === "Escape") typed.value = ""
            else if (event.key === "Enter") choose(people.value[Math.max(at.value, 0)]!)
            else return
            event.preventDefault()
          }}
        />
        {children}
        {open ? (
          <ul class="suggestions" role="listbox" id={`people-${name}`} aria-label={t().people}>
            {people.value.map((person, index) => (
              <li
                key={person.address}
                id={`people-${name}-${index}`}
                role="option"
                aria-selected={index === at.value}
                onMouseDown={(event) => {
                  event.preventDefault()
                  choose(person)
                }}
              >
                {person.name === "" ? (
                  person.address
                ) : (
                  <>
                    {person.name} <small>{person.address}</small>
                  </>
                )}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      {wrong.length > 0 ? (
        <span class="hint" id={`wrong-${name}`}>
          {t().wrong(wrong.join(", "))}
        </span>
      ) : null}
    </div>
  )
}
