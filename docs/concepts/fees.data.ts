import { feeExamples } from "../.vitepress/examples/fees.ts";

declare const data: ReturnType<typeof feeExamples>;

export { data };

export default { load: feeExamples };
