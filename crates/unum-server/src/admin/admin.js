// The page for operators. It knows nothing but what the API says; words of players are only ever text.

const KEY = 'unum-admin-token';
const $ = (id) => document.getElementById(id);

/** An element with attributes and children; texts become text. */
function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

// The API.

let asking;

/** Asks for the token, once at a time. */
function askToken() {
  asking ??= new Promise((resolve) => {
    const dialog = $('ask-token');
    dialog.addEventListener('close', () => {
      sessionStorage.setItem(KEY, $('token').value.trim());
      $('token').value = '';
      asking = undefined;
      resolve();
    }, { once: true });
    dialog.addEventListener('cancel', (event) => event.preventDefault(), { once: true });
    dialog.showModal();
  });
  return asking;
}

async function api(path, body) {
  for (;;) {
    const token = sessionStorage.getItem(KEY);
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    if (body) headers['content-type'] = 'application/json';
    const answer = await fetch(`/api/${path}`, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
    if (answer.status === 401) {
      if (token) tell('That is not the token of this server.');
      sessionStorage.removeItem(KEY);
      await askToken();
      continue;
    }
    const read = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(read.error?.message ?? `The server answered ${answer.status}.`);
    $('forget').hidden = !token;
    return read;
  }
}

// Words.

function tell(text, good = false) {
  $('told').hidden = !text;
  $('told').textContent = text;
  $('told').className = good ? 'good' : '';
}

const when = (at) => new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function ago(at) {
  const minutes = Math.max(0, Math.round((Date.now() - at) / 60000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

const size = (bytes) => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);

/** Does something, says how it went, and shows the section again. */
async function act(path, body, done) {
  try {
    const answer = await api(path, body);
    tell(typeof done === 'function' ? done(answer) : done, true);
  } catch (error) {
    tell(error.message);
  }
  await show();
}

/** Asks whether to go on; resolves to what was chosen, or to nothing. */
function ask({ title, text = '', yes, whom, time = false, why = false }) {
  const dialog = $('ask');
  $('ask-title').textContent = title;
  $('ask-text').textContent = text;
  $('ask-text').hidden = !text;
  $('ask-yes').textContent = yes;
  $('ask-whom-row').hidden = whom === undefined;
  $('ask-whom').required = whom !== undefined;
  $('ask-whom').value = whom ?? '';
  $('ask-time-row').hidden = !time;
  $('ask-why-row').hidden = !why;
  $('ask-why').value = '';
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      const chosen = { whom: $('ask-whom').value.trim(), seconds: Number($('ask-time').value), why: $('ask-why').value };
      resolve(dialog.returnValue === 'yes' ? chosen : undefined);
    }, { once: true });
  });
}

async function ban(whom, name) {
  const given = await ask({ title: name ? `Ban ${name}` : 'Ban', yes: 'Ban', whom, time: true, why: true,
    text: 'Their connections end, and they cannot come back until the time is over.' });
  if (given) await act('bans', given, ({ connections }) => `Banned. Connections ended: ${connections}.`);
}

async function mute(whom, name) {
  const given = await ask({ title: `Mute ${name ?? whom}`, yes: 'Mute', whom, time: true, why: true,
    text: 'What they say, their reactions and new names are not passed on.' });
  if (given) await act('mutes', given, 'Muted.');
}

/** A table of rows, each a list of cells; on a phone each row is a card. */
function table(caption, heads, rows, none) {
  if (rows.length === 0) return el('p', { class: 'none' }, none);
  const head = el('tr', {}, ...heads.map((name) => el('th', { scope: 'col' }, name)));
  const body = rows.map((row) => el('tr', {}, ...row.map((cell, at) => {
    const acts = Array.isArray(cell);
    return el('td', acts ? { class: 'acts' } : { 'data-name': heads[at] }, ...(acts ? cell : [cell]));
  })));
  return el('table', {}, el('caption', {}, caption), el('thead', {}, head), el('tbody', {}, ...body));
}

const button = (text, onclick, label) => el('button', { type: 'button', onclick, 'aria-label': label }, text);

// The sections.

const SECTIONS = {
  status: { name: 'Overview', load: () => api('status'), view: overview },
  tables: { name: 'Tables', load: () => api('tables'), view: tables },
  people: { name: 'People', load: () => api('people'), view: people },
  bans: { name: 'Bans', load: () => Promise.all([api('bans'), api('mutes')]), view: bans },
  reports: { name: 'Reports', load: () => api('reports'), view: reports },
  log: { name: 'Log', load: () => api('log'), view: log },
};

function overview(status) {
  const facts = [
    ['People at tables', status.people],
    ['Tables in memory', status.tables],
    ['Connections', status.connections],
    ['Bots thinking', status.thinking],
    ['Reports waiting', status.reports],
    ['Bans, mutes', `${status.bans}, ${status.mutes}`],
    ['Running for', ago(status.started)],
    ['Version', status.version],
  ];
  if (status.free_bytes !== undefined) facts.push(['Free disk space', size(status.free_bytes)]);
  if (status.room_bytes !== undefined) facts.push(['Room in the database', size(status.room_bytes)]);
  const list = el('dl', { class: 'facts' }, ...facts.map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, String(value)))));
  const words = el('input', { id: 'words', required: true, maxlength: '300', autocomplete: 'off' });
  const announce = el('form', { class: 'line', onsubmit: async (event) => {
    event.preventDefault();
    const text = words.value;
    words.value = '';
    await act('announce', { text }, ({ connections }) => `Announced. Connections here: ${connections}.`);
  } }, el('label', {}, 'A message to everybody who is connected', words), el('button', { class: 'main' }, 'Announce'));
  const drain = status.draining
    ? button('Take new tables again', () => act('drain', { on: false }, 'New tables can be opened again.'))
    : button('Drain', async () => {
        const sure = await ask({ title: 'Drain this server', yes: 'Drain',
          text: 'Nobody can open new tables here. Games in progress go on, so that you can stop it when they are over.' });
        if (sure) await act('drain', { on: true }, 'No new tables begin.');
      });
  const nodes = (status.nodes ?? []).map((node) =>
    [node.here ? `${node.address} (this one)` : node.address, String(node.tables), node.draining ? 'draining' : 'serving']);
  return [list, el('h2', {}, 'Announce'), announce, el('h2', {}, 'Before you stop it'), drain,
    nodes.length > 0 ? table('Nodes of the cluster', ['Address', 'Tables', 'State'], nodes, '') : undefined];
}

function tables(list) {
  const rows = list.map((table) => [
    table.title || table.code, table.code, table.edition, table.stage,
    `${table.people} + ${table.bots} bots${table.onlookers ? `, ${table.onlookers} watching` : ''}`,
    table.public ? 'public' : 'private',
    [button('Close', async () => {
      const sure = await ask({ title: `Close ${table.title || table.code}`, yes: 'Close the table',
        text: 'Everybody is told and has to leave. The match ends without a winner.' });
      if (sure) await act(`tables/${table.code}/close`, {}, 'The table is closed.');
    }, `Close table ${table.title || table.code}`)],
  ]);
  return [table(`Tables that this server runs: ${list.length}`,
    ['Table', 'Code', 'Edition', 'Stage', 'Seats', 'List', 'Actions'], rows, 'No table is in memory.')];
}

function people(list) {
  const rows = list.map((person) => [
    person.muted ? `${person.name} (muted)` : person.name, String(person.guest), person.address, person.table,
    ago(person.since),
    [button('Ban', () => ban(String(person.guest), person.name), `Ban ${person.name}`),
     button('Ban address', () => ban(person.address), `Ban the address of ${person.name}`),
     button('Mute', () => mute(String(person.guest), person.name), `Mute ${person.name}`)],
  ]);
  return [table(`People at tables: ${list.length}`, ['Name', 'Guest', 'Address', 'Table', 'Here for', 'Actions'], rows,
    'Nobody is connected.')];
}

function bans([banned, muted]) {
  const rows = (list, undo, done) => list.map((row) => [
    row.name ? `${row.name} (${row.whom})` : row.whom, when(row.since), when(row.until), row.why || '–',
    [button('End', () => act(undo, { whom: row.whom }, done), `End it for ${row.name ?? row.whom}`)],
  ]);
  const heads = ['Whom', 'Since', 'Until', 'Why', 'Actions'];
  return [
    el('h2', {}, 'Ban somebody'),
    button('Ban a guest or an address…', () => ban('')),
    table(`Bans: ${banned.length}`, heads, rows(banned, 'unban', 'The ban is over.'), 'Nobody is banned.'),
    table(`Mutes: ${muted.length}`, heads, rows(muted, 'unmute', 'The mute is over.'), 'Nobody is muted.'),
  ];
}

const KINDS = {
  abuse: 'Insults or threats',
  name: 'Offensive name',
  spam: 'Spam',
  cheating: 'Cheating or spoiling',
  other: 'Something else',
};

function reports(list) {
  const rows = list.map((report) => [
    when(report.at), `${report.name} (${report.guest})`, KINDS[report.kind] ?? report.kind, report.text || '–',
    `${report.by} (${report.reporter})`, report.done ? 'done' : 'waits',
    [button('Look', () => lookAt(report.id), `Look at report ${report.id}`)],
  ]);
  return [table(`Reports: ${list.length}`, ['When', 'About', 'What for', 'Words', 'By', 'State', 'Actions'], rows,
    'Nobody has reported anybody.')];
}

async function lookAt(id) {
  try {
    const report = await api(`reports/${id}`);
    const said = report.lines.map((line) => el('li', {}, el('strong', {}, line.name), ` ${line.did}${line.text ? `: ${line.text}` : ''}`));
    $('main').replaceChildren(
      el('h2', {}, `Report ${report.id} about ${report.name}`),
      el('p', {}, `${KINDS[report.kind] ?? report.kind}. ${report.text}`),
      el('p', { class: 'soft' }, `By ${report.by} (guest ${report.reporter}), ${when(report.at)}, at table ${report.table}.`),
      el('h2', {}, 'What was said and done last'),
      said.length > 0 ? el('ol', { class: 'said' }, ...said) : el('p', { class: 'none' }, 'Nothing was said.'),
      el('menu', {},
        button('Back', show),
        button('Mute', () => mute(String(report.guest), report.name)),
        button('Ban', () => ban(String(report.guest), report.name)),
        report.done ? undefined : button('Done', () => act(`reports/${id}/done`, {}, 'The report is done.'))),
    );
    $('main').focus();
  } catch (error) {
    tell(error.message);
  }
}

function log(list) {
  const rows = list.map((entry) => [when(entry.at), entry.who, entry.act, entry.on ?? '–', entry.note ?? '–']);
  return [table('What operators did, the latest first', ['When', 'Who', 'What', 'On', 'More'], rows, 'Nothing yet.')];
}

// Showing.

const current = () => (location.hash.slice(2) in SECTIONS ? location.hash.slice(2) : 'status');

function state(status) {
  const trouble = status.trouble ?? '';
  $('state').className = trouble ? 'bad' : 'good';
  const counted = (count, one, more) => `${count} ${count === 1 ? one : more}`;
  const text = trouble || `${counted(status.people, 'person', 'people')}, ${counted(status.tables, 'table', 'tables')}`;
  // Only what changes is read out.
  if ($('state').textContent !== text) $('state').textContent = text;
}

let shown = 0;

async function show() {
  const turn = ++shown;
  const id = current();
  $('nav').replaceChildren(...Object.entries(SECTIONS).map(([key, { name }]) =>
    el('a', { href: `#/${key}`, 'aria-current': key === id ? 'page' : false }, name)));
  try {
    const [status, loaded] = await Promise.all([api('status'), SECTIONS[id].load()]);
    if (turn !== shown) return;
    state(status);
    $('main').replaceChildren(...SECTIONS[id].view(loaded).filter((part) => part !== undefined));
  } catch (error) {
    $('state').className = 'bad';
    $('state').textContent = 'The server does not answer.';
    tell(error.message);
  }
}

$('ask-no').addEventListener('click', () => $('ask').close(''));
$('ask-yes').value = 'yes';
$('forget').addEventListener('click', () => {
  sessionStorage.removeItem(KEY);
  location.reload();
});
addEventListener('hashchange', () => {
  tell('');
  show();
});
// The line at the top stays true; lists are loaded when they are opened, so that nothing moves under a finger.
setInterval(async () => {
  if (document.hidden || document.querySelector('dialog[open]')) return;
  state(await api('status').catch(() => ({ trouble: 'The server does not answer.' })));
}, 5000);
show();
