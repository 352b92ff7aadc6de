/** What other features of status-checker may use of the publication. */
export { messageOf, nameOf, titleOf } from "./pages/Localised.ts"
export { answer } from "./pages/Page.ts"
export { type SubscribeForm, subscribeForm, type SubscribeProblem } from "./pages/SubscribeForm.ts"
export { words } from "./pages/Words.ts"
