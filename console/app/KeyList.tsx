import { words } from "../lib/Language.ts"
import { Dialog } from "../parts/Dialog.tsx"
import "./palette.css"

const t = words({
  en: {
    title: "Keys",
    search: "Search, and go to a page",
    help: "Show these keys",
    undo: "Take the last action back while the page offers it",
    undoKey: "Ctrl Z",
    move: "Move in a list of choices",
    open: "Open the selected one",
    leave: "Close a window or menu; silence a ringing call",
    bank: "Bank transactions have keys of their own. They are shown on that page.",
    guide: "Guide to Signalbox",
    or: "or",
    searchKey: "Ctrl K",
    enterKey: "Enter",
    close: "Close"
  },
  de: {
    title: "Tasten",
    search: "Suchen und eine Seite öffnen",
    help: "Diese Tasten zeigen",
    undo: "Die letzte Aktion zurücknehmen, solange die Seite es anbietet",
    undoKey: "Strg Z",
    move: "In einer Auswahlliste wandern",
    open: "Das Gewählte öffnen",
    leave: "Fenster oder Menü schließen; einen Anruf stumm schalten",
    bank: "Die Umsätze der Bank haben eigene Tasten. Sie stehen auf jener Seite.",
    guide: "Handbuch von Signalbox (auf Englisch)",
    or: "oder",
    searchKey: "Strg K",
    enterKey: "Eingabe",
    close: "Schließen"
  }
})

/** List of the keys that work on every page. */
export const KeyList = ({ close }: { readonly close: () => void }) => (
  <Dialog title={t().title} close={close}>
    <dl class="keys">
      <dt>
        <kbd>{t().searchKey}</kbd> {t().or} <kbd>/</kbd>
      </dt>
      <dd>{t().search}</dd>
      <dt>
        <kbd>?</kbd>
      </dt>
      <dd>{t().help}</dd>
      <dt>
        <kbd>{t().undoKey}</kbd>
      </dt>
      <dd>{t().undo}</dd>
      <dt>
        <kbd>↑</kbd> <kbd>↓</kbd>
      </dt>
      <dd>{t().move}</dd>
      <dt>
        <kbd>{t().enterKey}</kbd>
      </dt>
      <dd>{t().open}</dd>
      <dt>
        <kbd>Esc</kbd>
      </dt>
      <dd>{t().leave}</dd>
    </dl>
    <p class="hint">{t().bank}</p>
    <p>
      <a href="/console/guide/" target="_blank" rel="noopener">
        {t().guide}
      </a>
    </p>
    <div class="dialog-actions">
      <button type="button" autofocus onClick={close}>
        {t().close}
      </button>
    </div>
  </Dialog>
)
