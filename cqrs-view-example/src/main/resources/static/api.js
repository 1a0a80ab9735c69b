// The HTTP API. Errors are problem details.

/** What the service, or the way to it, says is wrong. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? "The service cannot be reached.");
    this.status = status;
    this.parameter = body.name;
    this.value = body.value;
  }

  /** Whether it may go away by itself. */
  get passes() {
    return this.status === 0 || this.status >= 500;
  }
}

export async function request(path, parameters, options) {
  return (await exchange(path, parameters, options)).body;
}

export async function exchange(path, parameters, options) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (value) query.set(name, value);
  }
  const url = query.size === 0 ? path : `${path}?${query}`;
  let response;
  try {
    response = await fetch(url, { headers: { Accept: "application/json" }, ...options });
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Problem(0, {});
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, body);
  return { body, headers: response.headers };
}

const consumer = (id) => `/api/consumers/${encodeURIComponent(id)}`;

export const about = () => request("/api/page");
export const orders = (id, query, signal) => request(`${consumer(id)}/orders`, query, { signal });
export const spending = (id, month) => request(`${consumer(id)}/spending`, { month });
export const changes = (id) => new EventSource(`${consumer(id)}/changes`);
export const order = (id, notBefore) =>
  request(`/api/orders/${encodeURIComponent(id)}`, { notBefore });
export const board = () => request("/api/board");
