import { yieldExample } from "../.vitepress/examples/yield.ts";

declare const data: ReturnType<typeof yieldExample>;

export { data };

export default { load: yieldExample };
