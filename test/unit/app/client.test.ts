import { expect, it } from "vitest";
import { ApiError, dataOf } from "../../../app/src/api/client.ts";

it("names the status of an error that a proxy answered, whatever its body is", async () => {
  const response = new Response(null, { status: 502, statusText: "Bad Gateway" });
  for (const error of ["<html>Bad Gateway</html>", "", undefined, {}]) {
    const answering = dataOf(Promise.resolve({ error, response }));
    await expect(answering).rejects.toThrow(ApiError);
    await expect(answering).rejects.toThrow("502: Bad Gateway");
  }
  const refused = dataOf(Promise.resolve({ error: { error: "no such wallet" }, response: new Response(null) }));
  await expect(refused).rejects.toThrow("200: no such wallet");
});
