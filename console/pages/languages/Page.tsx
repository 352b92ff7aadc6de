import { useSignal } from "@preact/signals"
import { words } from "../../lib/Language.ts"
import * as Texts from "../../lib/Texts.ts"
import { Page } from "../../parts/Page.tsx"
import { AddLanguage } from "./AddLanguage.tsx"
import { LanguageTable } from "./LanguageTable.tsx"
import { Rebuilds } from "./Rebuilds.tsx"
import "./languages.css"

const t = words({ en: { title: "Languages" }, de: { title: "Sprachen" } })

/** All languages with their shares, and automatic translations. */
export default () => {
  /** Increases after each change, so that every part loads again. */
  const turn = useSignal(0)
  const changed = () => {
    turn.value++
    void Texts.reloadLanguages()
    void Texts.reload()
  }
  return (
    <Page title={t().title}>
      <LanguageTable turn={turn.value} changed={changed} />
      <AddLanguage added={changed} />
      <Rebuilds turn={turn.value} />
    </Page>
  )
}
