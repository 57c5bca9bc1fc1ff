import { describe, expect, it } from "vitest";
import { merkleRoot } from "../../../../config/rpc/header/merkleRoot.ts";

/** Values that differ by their index. Those of one byte make nodes that their parents hold themselves. */
function valuesOf(count: number, bytes: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) =>
    Uint8Array.from({ length: bytes }, (_, place) => (index * 7 + place * 13 + 1) & 255),
  );
}

describe("the root of a trie", () => {
  // Computed with @ethereumjs/mpt 10.1.3.
  it.each([
    [0, 1, "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"],
    [1, 1, "0xac92bc8d02906a87a573c32c72bb427036f0e43d7a7375c5c491ebba064add15"],
    [1, 40, "0xe149f27581cbf64e20bee773775b713cf87b2472881b959a9a4788eda260f34d"],
    [2, 1, "0xe9ad7202c0b3a5edb188b1da423768a425acb1611775a43c8425982883178f8b"],
    [2, 40, "0xd0dce2e95a70535e4faf1d25566bf7b78110a5ed92640bc3c5d200fa51093de0"],
    [16, 1, "0x73fee744327eab249946f000289aa2eec1158935835c6c21296e1f8265c21071"],
    [17, 40, "0xda32bf9f4af58c54698205cb313c117bd8e2a1d988a2d57826c0f1e146c01f4f"],
    [127, 1, "0x86a5b7f1df74044401913725c3dcd0d9f39916c339336068589834a350fc29f2"],
    [128, 40, "0x20961ea75c93611a970564d20cdd1f60286341e7215b45e37bd209bc7e14b544"],
    [129, 1, "0x2c338b58d16cd1ca69c5efe579622925b4f6805bc74cb8b6bf75f01ae513bb7f"],
    [129, 40, "0x1905030b23832884f0ca8638e7fbc128291045610a8b0bf248a2ba5dd7b82b43"],
    [200, 40, "0x826d00af0d62f9c6b6d5802529d1c7da4e3f65945b5d186299dd7fea96d412ca"],
    [256, 1, "0xe257f293fdae5653027140f23fc6a820ed1abefff93b6e4add903a485caecc46"],
    [257, 40, "0xea54e361323cb4923b8f1da197b79835dcfd7661b597cfc5671cb4afdb81237c"],
    [700, 1, "0xd5d04d3e37038963ddcc1ca7cee1cdaed90e549d22174870c69bf570406dbc52"],
    [700, 40, "0x35d5fbd9a3f9c5411eb43a54a5af6a94e85947e3a142feee139a6fd5f90362d0"],
  ])("of %i values of %i bytes is that of another implementation", (count, bytes, root) => {
    expect(merkleRoot(valuesOf(count, bytes))).toBe(root);
  });
});
