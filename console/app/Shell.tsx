import type { ComponentChildren } from "preact"
import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { useEffect } from "preact/hooks"
import { CallModal } from "../call/CallModal.tsx"
import { brand } from "../lib/Brand.ts"
import { words } from "../lib/Language.ts"
import { me } from "../lib/Me.ts"
import { leave } from "../lib/Push.ts"
import { signOut } from "../lib/Session.ts"
import { connection } from "../lib/Socket.ts"
import { settle } from "../lib/Undo.ts"
import { Icon } from "../parts/Icon.tsx"
import { UndoNotice } from "../parts/UndoNotice.tsx"
import { CallPlace } from "../softphone/CallPlace.tsx"
import { PhoneMark } from "../softphone/PhoneMark.tsx"
import { Bell } from "./Bell.tsx"
import { Finding } from "./Finding.tsx"
import { Looks } from "./Looks.tsx"
import { FirstPassword } from "./FirstPassword.tsx"
import { Navigation } from "./Navigation.tsx"

const t = words({
  en: {
    skip: "To the content",
    menu: "Menu",
    lost: "No live connection; what you see may be old.",
    signOut: "Sign out"
  },
  de: {
    skip: "Zum Inhalt",
    menu: "Menü",
    lost: "Keine Live-Verbindung; die Ansicht kann veraltet sein.",
    signOut: "Abmelden"
  }
})

/** Frame of the console: header, navigation and the current page. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const open = useSignal(false)
  const { path } = useLocation()
  useEffect(() => {
    open.value = false
  }, [path])
  return (
    <div class="shell" data-live={connection.value}>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          event.stopPropagation()
          document.getElementById("content")?.focus()
        }}
      >
        {t().skip}
      </a>
      <header class="top">
        <button
          type="button"
          class="plain menu"
          aria-expanded={open.value}
          aria-controls="navigation"
          onClick={() => (open.value = !open.value)}
        >
          <Icon name="menu" />
          <span class="sr">{t().menu}</span>
        </button>
        <a class="brand" href="/console/">
          <img src={brand.value.logo ?? "/console/icon.svg"} alt="" width={24} height={24} />
          <span class="brand-name">{brand.value.name}</span>
        </a>
        <Finding />
        <div class="top-end">
          <PhoneMark />
          <Bell />
          <Looks />
          <a class="who" href="/console/settings" title={me.value?.email}>
            {me.value?.name}
          </a>
          <button
            type="button"
            class="plain"
            title={t().signOut}
            onClick={() => void settle().then(leave).then(signOut)}
          >
            <Icon name="out" />
            <span class="sr">{t().signOut}</span>
          </button>
        </div>
      </header>
      <Navigation open={open.value} path={path} />
      <main id="content" tabIndex={-1}>
        <div role="status" class={connection.value === "open" ? "sr" : "lost"}>
          {connection.value === "open" ? "" : t().lost}
        </div>
        <FirstPassword />
        {children}
      </main>
      <UndoNotice />
      <CallPlace />
      <CallModal />
    </div>
  )
}
