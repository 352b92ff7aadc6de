import { render } from "preact"
import { App } from "./app/App.tsx"
import { begin } from "./app/Begin.ts"
import { beginBrand } from "./lib/Brand.ts"
import * as Texts from "./lib/Texts.ts"
import * as TableCards from "./parts/TableCards.ts"
import "./parts/cards.css"
import "./style/base.css"
import "./style/parts.css"
import "./style/shell.css"

Texts.begin()
begin()
TableCards.begin()
beginBrand()
render(<App />, document.getElementById("console")!)
