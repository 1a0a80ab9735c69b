// What the demonstration's server answers.
import { exchange, request } from "./api.js";

const PATIENCE = 4000; // milliseconds; a service that takes longer is shown as silent

export const lab = (consumerId) =>
  request("/api/lab", { consumerId }, { signal: AbortSignal.timeout(PATIENCE) });
export const act = (action, parameters) =>
  request(`/api/lab/${action}`, parameters, { method: "POST" });
export const charges = (orderId) => request("/api/lab/charges", { orderId });

/** Pays; the same key again is answered as it was before, and charges nothing. */
export async function checkout(key, order) {
  const { body, headers } = await exchange("/checkouts", null, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": `"${key}"` },
    body: JSON.stringify(order),
  });
  return { ...body, replayed: headers.has("Idempotency-Replayed") };
}
