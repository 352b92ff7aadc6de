import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx"
import { NameDialog } from "../../parts/NameDialog.tsx"
import { RowMenu } from "../../parts/RowMenu.tsx"
import { told } from "../telephony/Refusals.ts"
import { canEmpty, canRemove, titleOf } from "./FolderNames.ts"
import { listHref } from "./Place.ts"
import { changes, type Folder } from "./Shapes.ts"

const t = words({
  en: {
    folderName: "Name of the folder",
    nameHint: "With its parents, such as Archive/2026",
    create: "New folder",
    rename: "Rename the folder",
    empty: "Empty the folder",
    remove: "Delete the folder",
    emptyThis: (name: string) => `Empty ${name}`,
    removeThis: (name: string) => `Delete the folder ${name}`,
    doEmpty: "Empty",
    doRemove: "Delete",
    noMail: "The folder has no messages. It is deleted for good.",
    oneMail: "The one message in it is deleted for good. It does not go to the trash.",
    mails: (count: string) => `All ${count} messages in it are deleted for good. They do not go to the trash.`
  },
  de: {
    folderName: "Name des Ordners",
    nameHint: "Mit den Ordnern darüber, etwa Archiv/2026",
    create: "Neuer Ordner",
    rename: "Ordner umbenennen",
    empty: "Ordner leeren",
    remove: "Ordner löschen",
    emptyThis: (name: string) => `${name} leeren`,
    removeThis: (name: string) => `Ordner ${name} löschen`,
    doEmpty: "Leeren",
    doRemove: "Löschen",
    noMail: "Der Ordner hat keine Nachrichten. Er wird endgültig gelöscht.",
    oneMail: "Die eine Nachricht darin wird endgültig gelöscht. Sie kommt nicht in den Papierkorb.",
    mails: (count: string) =>
      `Alle ${count} Nachrichten darin werden endgültig gelöscht. Sie kommen nicht in den Papierkorb.`
  }
})

const lost = (count: number): string =>
  count === 0 ? t().noMail : count === 1 ? t().oneMail : t().mails(number(count))

/** Longest name. Unit: UTF-16 code units. Source: mail-watcher, names of folders. */
const longest = 500

interface Props {
  readonly account: string | undefined
  /** The open folder; undefined while the folders are not known. */
  readonly folder: Folder | undefined
}

/** Menu that makes a folder, and renames, empties or deletes the open one. */
export const FolderMenu = ({ account, folder }: Props) => {
  const { route } = useLocation()
  const open = useSignal<"create" | "rename" | "empty" | "remove" | undefined>(undefined)
  if (folder === undefined) return null
  const shut = () => (open.value = undefined)
  const name = titleOf(folder)
  const isOwn = canRemove(folder)
  const shown = (other: string) => {
    changes.value++
    shut()
    route(listHref({ account, folder: other }))
  }
  const naming = { label: t().folderName, hint: t().nameHint, longest, told }
  const at = { params: { folder: folder.name }, query: { account } }
  return (
    <>
      <RowMenu
        of={name}
        actions={[
          { text: t().create, act: () => (open.value = "create") },
          ...(isOwn ? [{ text: t().rename, act: () => (open.value = "rename") } as const] : []),
          ...(canEmpty(folder)
            ? [{ text: t().empty, danger: true, disabled: folder.exists === 0, act: () => (open.value = "empty") }]
            : []),
          ...(isOwn ? [{ text: t().remove, danger: true, act: () => (open.value = "remove") } as const] : [])
        ]}
      />
      {open.value === "create" ? (
        <NameDialog
          {...naming}
          title={t().create}
          value=""
          close={shut}
          save={async (wanted) => {
            const made = await call("POST /api/v1/mail/webmail/folders", {
              query: { account },
              payload: { folder: wanted }
            })
            shown(made.folder)
          }}
        />
      ) : open.value === "rename" ? (
        <NameDialog
          {...naming}
          title={t().rename}
          value={folder.name}
          close={shut}
          save={async (wanted) => {
            const renamed = await call("PUT /api/v1/mail/webmail/folders/:folder", {
              ...at,
              payload: { folder: wanted }
            })
            shown(renamed.folder)
          }}
        />
      ) : open.value === "empty" ? (
        <ConfirmDialog
          title={t().emptyThis(name)}
          action={t().doEmpty}
          close={shut}
          work={async () => {
            await call("POST /api/v1/mail/webmail/folders/:folder/empty", at)
            changes.value++
          }}
        >
          <p>{lost(folder.exists)}</p>
        </ConfirmDialog>
      ) : open.value === "remove" ? (
        <ConfirmDialog
          title={t().removeThis(name)}
          action={t().doRemove}
          close={shut}
          work={async () => {
            await call("DELETE /api/v1/mail/webmail/folders/:folder", at)
            shown("INBOX")
          }}
        >
          <p>{lost(folder.exists)}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
