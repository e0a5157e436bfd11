import { ShortcutClient } from "@shortcut/client";

export { has, hearOfRepository, ids, refused } from "../check.mjs";

// record gives the methods of a client. It prints all of them, such as
// {"method":"getEpic","httpMethod":"GET","path":"/epics/{}","status":0}, and again with the status
// and the text of the answer whenever one was called. Each returns the parsed answer.
export function record(baseURL, token) {
  const client = new ShortcutClient(token, { baseURL });
  const { defaults } = client.instance;
  defaults.transformResponse = [keepText, ...defaults.transformResponse];
  const api = {};
  for (const operation of operations()) {
    print({ ...operation, status: 0 });
    api[operation.method] = async (...args) => {
      const answer = await client[operation.method](...args).catch((error) => {
        const { status, data } = error.response ?? {};
        throw Object.assign(new Error(`${operation.method}: ${error.message}: ${JSON.stringify(data)}`), { status, data });
      });
      print({ ...operation, status: answer.status, body: answer.config.text });
      return answer.data;
    };
  }
  return api;
}

function keepText(text) {
  this.text = text; // this is the configuration of the request
  return text;
}

// operations lists what each method of the client would send, with {} for every id.
function operations() {
  const client = new ShortcutClient("");
  client.request = ({ method, path }) => ({ httpMethod: method, path: path.replace("/api/v3", "") });
  const HttpClient = Object.getPrototypeOf(Object.getPrototypeOf(ShortcutClient));
  const transport = Object.keys(new HttpClient());
  const methods = Object.keys(client).filter((name) => !transport.includes(name));
  return methods.map((method) => ({ method, ...client[method](...Array(client[method].length).fill("{}")) }));
}

function print(line) {
  console.log(JSON.stringify(line));
}
