import { finalityExample } from "../.vitepress/examples/finality.ts";

declare const data: ReturnType<typeof finalityExample>;

export { data };

export default { load: finalityExample };
