/** Actions on a user, shared by the list and the page of one user. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { moment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { may, me } from "../../lib/Me.ts"
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx"
import type { RowAction } from "../../parts/RowMenu.tsx"
import { ShownOnce } from "../../parts/ShownOnce.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Refused, told } from "./Refusals.ts"
import { shared, type User } from "./Words.ts"

const t = words({
  en: {
    link: "Create a sign-in link",
    signOut: "End all sessions",
    suspendThis: (name: string) => `Suspend ${name}`,
    suspendLoses:
      "All sessions end within a second, and the user can no longer sign in: neither here nor with mail programs. " +
      "Nothing is deleted; you can restore the user at any time.",
    signOutThis: (name: string) => `End all sessions of ${name}`,
    signOutLoses: "Browsers and programs are signed out within a second. The user can sign in again at once.",
    deleteThis: (name: string) => `Delete ${name}`,
    deleteLoses:
      "The account is lost with its second factors, links and settings, and cannot be brought back. " +
      "All sessions end within a second. Entries in the audit log stay.",
    linkOf: (name: string) => `Sign-in link for ${name}`,
    linkLabel: "Link",
    invitation: (until: string) =>
      `Send this link to the user. It signs in once and lets the user choose a password. Valid until ${until}. ` +
      "It is shown only now.",
    reset: (until: string) =>
      `Send this link to the user. It signs in once, without the second factor, and lets the user choose a new ` +
      `password. Valid until ${until}. It is shown only now.`
  },
  de: {
    link: "Anmeldelink erzeugen",
    signOut: "Alle Anmeldungen beenden",
    suspendThis: (name: string) => `${name} sperren`,
    suspendLoses:
      "Alle Anmeldungen enden binnen einer Sekunde, und neue sind nicht mehr möglich, weder hier noch mit " +
      "Mailprogrammen. Nichts wird gelöscht; Sie können die Sperre jederzeit aufheben.",
    signOutThis: (name: string) => `Alle Anmeldungen beenden: ${name}`,
    signOutLoses:
      "Browser und Programme werden binnen einer Sekunde abgemeldet. Eine neue Anmeldung ist sofort möglich.",
    deleteThis: (name: string) => `${name} löschen`,
    deleteLoses:
      "Das Konto geht mit zweiten Faktoren, Links und Einstellungen unwiederbringlich verloren. " +
      "Alle Anmeldungen enden binnen einer Sekunde. Die Einträge im Protokoll bleiben.",
    linkOf: (name: string) => `Anmeldelink für ${name}`,
    linkLabel: "Link",
    invitation: (until: string) =>
      `Schicken Sie diesen Link an die Person. Er meldet einmal an und lässt sie ein Passwort wählen. ` +
      `Gültig bis ${until}. Er wird nur jetzt gezeigt.`,
    reset: (until: string) =>
      `Schicken Sie diesen Link an die Person. Er meldet einmal an, ohne zweiten Faktor, und lässt sie ein neues ` +
      `Passwort wählen. Gültig bis ${until}. Er wird nur jetzt gezeigt.`
  }
})

interface Asked {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly work: () => Promise<unknown>
}

interface Made {
  readonly user: User
  readonly link: Answer<"POST /api/v1/users/:id/link">
}

export interface UserActions {
  /** Actions that the caller may try on the user. None on the own account. */
  readonly of: (user: User) => ReadonlyArray<RowAction>
  /** Creates a sign-in link and shows it. */
  readonly makeLink: (user: User) => void
  /** Dialog, new link and error of the actions; part of the page. */
  readonly shown: ComponentChildren
}

/**
 * `tenant`: id of another tenant; undefined for the own one. `changed`: runs after a change, `removed` after a
 * deletion.
 */
export const useUserActions = ({
  changed,
  removed,
  tenant
}: {
  readonly tenant: string | undefined
  readonly changed: () => void
  readonly removed: () => void
}): UserActions => {
  const asked = useSignal<Asked | undefined>(undefined)
  const made = useSignal<Made | undefined>(undefined)
  const doing = useDoing()
  const options = ({ id }: User) => ({ params: { id }, query: { tenant_id: tenant } })
  const makeLink = (user: User) =>
    void doing.run(async () => {
      made.value = { user, link: await call("POST /api/v1/users/:id/link", options(user)) }
    })
  const of = (user: User): ReadonlyArray<RowAction> => {
    if (!may("users.manage") || user.id === me.value?.id) return []
    const ask =
      (title: string, text: string, action: string, work: () => Promise<unknown>, then = changed) =>
      () =>
        (asked.value = {
          title,
          text,
          action,
          work: async () => {
            await work()
            then()
          }
        })
    return [
      { text: t().link, act: () => makeLink(user) },
      {
        text: t().signOut,
        act: ask(t().signOutThis(user.name), t().signOutLoses, t().signOut, () =>
          call("POST /api/v1/users/:id/sign-out", options(user))
        )
      },
      user.state === "active"
        ? {
            text: shared().suspend,
            act: ask(t().suspendThis(user.name), t().suspendLoses, shared().suspend, () =>
              call("POST /api/v1/users/:id/suspend", options(user))
            )
          }
        : {
            text: shared().restore,
            act: () =>
              void doing
                .run(() => call("POST /api/v1/users/:id/unsuspend", options(user)))
                .then((done) => done && changed())
          },
      {
        text: shared().delete,
        danger: true,
        act: ask(
          t().deleteThis(user.name),
          t().deleteLoses,
          shared().delete,
          () => call("DELETE /api/v1/users/:id", options(user)),
          removed
        )
      }
    ]
  }
  const shown = (
    <>
      <Refused problem={doing.problem.value} />
      {asked.value === undefined ? null : (
        <ConfirmDialog
          title={asked.value.title}
          action={asked.value.action}
          work={asked.value.work}
          told={told}
          close={() => (asked.value = undefined)}
        >
          <p>{asked.value.text}</p>
        </ConfirmDialog>
      )}
      {made.value === undefined ? null : (
        <ShownOnce
          title={t().linkOf(made.value.user.name)}
          label={t().linkLabel}
          secret={made.value.link.url}
          close={() => (made.value = undefined)}
        >
          <p>{t()[made.value.link.purpose](moment(made.value.link.expires_at))}</p>
        </ShownOnce>
      )}
    </>
  )
  return { of, makeLink, shown }
}
