/** Healthcare revenue-cycle environments. */
export { environment } from "./denials/index.js";
