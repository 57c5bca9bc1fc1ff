import { expect, it } from "vitest";
import { ApiError, dataOf, isRefusal, NoAnswerError } from "../../../app/src/api/client.ts";

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

it("says plainly that no answer came, and leaves other errors as they are", async () => {
  const network = new TypeError("Failed to fetch");
  const late = new DOMException("signal timed out", "TimeoutError");
  for (const error of [network, late]) {
    await expect(dataOf(Promise.reject(error))).rejects.toThrow(NoAnswerError);
    await expect(dataOf(Promise.reject(error))).rejects.toThrow("The server gave no answer.");
  }
  const aborted = new DOMException("aborted", "AbortError");
  await expect(dataOf(Promise.reject(aborted))).rejects.toBe(aborted);
});

it("takes an answer of 4xx as a refusal, except that of too many requests", () => {
  const statuses = [400, 404, 422, 429, 500, 503];
  expect(statuses.filter((status) => isRefusal(new ApiError(status, "")))).toEqual([400, 404, 422]);
  expect(isRefusal(new NoAnswerError(null))).toBe(false);
});
