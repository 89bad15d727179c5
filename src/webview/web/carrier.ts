/**
 * The script of a page in a browser: pairs it once, then carries the messages of the chat over a socket, as the editor carries
 * them between its webview and the extension. The chat itself is the editor's own, unchanged.
 */
import { toDisposable } from '../../base/disposable.ts';
import { FOLDER_PARAMETER, WEB_CLOSING } from '../../protocol/doors/web-closing.ts';
import { createTranslator } from '../parts/translate.ts';
import { createPairingForm } from './pairing-form.ts';
import { carryFrame } from './page-frames.ts';
import { type HostAnswer, attachPickedFiles } from './picked-files.ts';

const KEY_NAME = 'prowess.key';
const STATE = 'prowess.state';
/** Pauses before a lost connection is tried again; the last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000];

interface Welcome {
	readonly folder: string | null;
	readonly folders: readonly { readonly id: string; readonly name: string }[];
}

const carrierScript = document.currentScript as HTMLScriptElement;
const response = fetch('/strings.json').then((answer) => answer.json() as Promise<Record<string, string>>);
const t = (english: string, args?: Readonly<Record<string, string | number>>) => translate(english, args);
let translate = createTranslator({});
let lastAsked = 0;
/** Typed input that no connection could carry. */
const unsent: unknown[] = [];
/** Requests of this script, by numbers below those of the chat. */
const asked = new Map<number, (answer: HostAnswer) => void>();

void response
	.catch(() => ({}))
	.then((strings) => {
		translate = createTranslator(strings);
		followTheme();
		// Only frames from the socket are frames: what another window posts here is dropped before the chat hears it.
		window.addEventListener('message', (event) => event.isTrusted && event.stopImmediatePropagation(), true);
		const code = location.hash.slice(1);
		if (code !== '') history.replaceState(null, '', location.pathname + location.search);
		if (code !== '' || localStorage.getItem(KEY_NAME) === null) pairBrowser(code);
		else connectPage();
	});

function pairBrowser(code = ''): void {
	document.title = t('Pair This Browser');
	const form = createPairingForm(t, code, async (given, name) => {
		const answer = await postPageJson('/pair', { code: given, name });
		if (answer.status === 429) return t('Too many codes. Try again in a minute.');
		const { key, message } = (await answer.json()) as { readonly key?: string; readonly message?: string };
		if (key === undefined) return message ?? t('This browser could not be paired. Try again.');
		localStorage.setItem(KEY_NAME, key);
		location.reload();
		return undefined;
	});
	showMain(form);
}

function connectPage(): void {
	const socket = openSocket();
	let isWelcome = false;
	socket.addEventListener('message', (event: MessageEvent<string>) => {
		const message = JSON.parse(event.data) as unknown;
		if (isWelcome) {
			const answer = message as HostAnswer;
			const onAnswer = asked.get(answer.id ?? 0);
			if (onAnswer === undefined) window.dispatchEvent(new MessageEvent('message', { data: message }));
			else onAnswer(answer);
			return;
		}
		isWelcome = true;
		const { folder, folders } = message as Welcome;
		if (folder === null) chooseFolder(folders);
		else loadChat(socket, folder, folders.length > 1);
	});
	socket.addEventListener('close', ({ code, reason }) => {
		if (code === WEB_CLOSING.unpaired) forgetDevice();
		else if (code === WEB_CLOSING.denied) showMain(createParagraph(t('Your settings let no browser look here.')));
		else void comeBack(reason);
	});
}

function openSocket(): WebSocket {
	const { protocol, host, search } = location;
	const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/socket`);
	const folder = new URLSearchParams(search).get(FOLDER_PARAMETER);
	socket.addEventListener('open', () => {
		const key = localStorage.getItem(KEY_NAME) ?? '';
		const { threadId = null } = (readState() ?? {}) as { readonly threadId?: string | null };
		socket.send(JSON.stringify({ key, threadId, ...(folder !== null && { folder }) }));
	});
	return socket;
}

/** Revokes this device; its other pages end, too. Where the host is not reached, the key goes here all the same. */
async function signOut(): Promise<void> {
	if (!confirm(t('Forget this browser? To come back, it needs a new pairing code.'))) return;
	const key = localStorage.getItem(KEY_NAME) ?? '';
	const answer = await postPageJson('/forget', { key }).catch(() => undefined);
	if (answer?.ok !== true && answer?.status !== 401) {
		alert(t('Prowess does not answer. This browser deletes its key. Revoke the device, too: prowess web revoke.'));
	}
	forgetDevice();
}

function postPageJson(path: string, body: object): Promise<Response> {
	return fetch(path, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** Begins anew, so that nothing of what was shown is left. */
function forgetDevice(): void {
	localStorage.removeItem(KEY_NAME);
	sessionStorage.clear();
	location.reload();
}

/** A page that has lost its socket begins anew once another one is welcome: what it shows may be old. */
async function comeBack(reason: string): Promise<void> {
	showLost(reason === '' ? t('The connection is lost. Trying again…') : reason);
	for (let tries = 0; ; tries += 1) {
		await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]));
		const found = await tryAgain();
		if (found === 'welcome') location.reload();
		else if (found === 'unpaired') forgetDevice();
		if (found !== 'gone') return;
	}
}

/** `unpaired`: the server is there and refuses the socket. */
async function tryAgain(): Promise<'welcome' | 'unpaired' | 'gone'> {
	const socket = openSocket();
	const heard = await new Promise<'welcome' | 'unpaired' | 'gone' | 'closed'>((resolve) => {
		socket.addEventListener(
			'message',
			() => {
				for (const frame of unsent) socket.send(JSON.stringify(frame));
				resolve('welcome');
			},
			{ once: true },
		);
		socket.addEventListener('close', ({ code, wasClean }) =>
			resolve(code === WEB_CLOSING.unpaired ? 'unpaired' : wasClean ? 'gone' : 'closed'),
		);
	});
	socket.close();
	if (heard !== 'closed') return heard;
	const answer = await fetch('/strings.json').catch(() => undefined);
	return answer?.ok === true && (await isRefused()) ? 'unpaired' : 'gone';
}

/** True where the server says that this browser is not paired. */
async function isRefused(): Promise<boolean> {
	const answer = await fetch('/paired').catch(() => undefined);
	return answer?.status === 401;
}

function loadChat(socket: WebSocket, folder: string, hasOthers: boolean): void {
	document.title = `${folder} – Prowess`;
	showBar(folder, hasOthers);
	const sendFrame = (frame: unknown) => {
		if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
		else if (isTypedInput(frame)) unsent.push(frame);
	};
	const receiveFrame = (frame: unknown) => void window.dispatchEvent(new MessageEvent('message', { data: frame }));
	const page = {
		t,
		send: sendFrame,
		receive: receiveFrame,
		title: (title: string) => (document.title = title === '' ? folder : title),
		pick: () => attachPickedFiles({ t, ask: (method, params) => askHost(socket, method, params) }),
	};
	Object.assign(window, {
		acquireVsCodeApi: () => ({
			postMessage: (frame: unknown) => void carryFrame(frame, page),
			getState: readState,
			setState: (state: unknown) => sessionStorage.setItem(stateName(), JSON.stringify(state)),
		}),
	});
	const chat = document.createElement('script');
	chat.setAttribute('nonce', carrierScript.nonce);
	chat.src = '/webview.js';
	document.head.append(chat);
}

/** Where the connection is lost, no answer comes, and the page begins anew. */
function askHost(socket: WebSocket, method: string, params: object): Promise<HostAnswer> {
	lastAsked -= 1;
	const id = lastAsked;
	return new Promise((resolve) => {
		asked.set(id, (answer) => {
			asked.delete(id);
			resolve(answer);
		});
		socket.send(JSON.stringify({ kind: 'request', id, method, params }));
	});
}

/** True for what was typed, which a new connection is handed first. */
function isTypedInput(frame: unknown): boolean {
	return (frame as { readonly method?: unknown }).method === 'view/keep';
}

function readState(): unknown {
	return JSON.parse(sessionStorage.getItem(stateName()) ?? 'null') as unknown;
}

/** Each folder has a state of its own. */
function stateName(): string {
	return `${STATE}${location.search}`;
}

function chooseFolder(folders: Welcome['folders']): void {
	document.title = 'Prowess';
	const list = document.createElement('ul');
	list.className = 'web-folders';
	for (const { id, name } of folders) {
		const link = document.createElement('a');
		link.href = `/?${FOLDER_PARAMETER}=${encodeURIComponent(id)}`;
		link.textContent = name;
		list.appendChild(document.createElement('li')).append(link);
	}
	const heading = document.createElement('h1');
	heading.textContent = t('Choose a Folder');
	showMain(heading, list, createSignOut());
}

function showBar(folder: string, hasOthers: boolean): void {
	const bar = document.createElement('nav');
	bar.className = 'web-bar';
	const name = document.createElement('strong');
	name.textContent = folder;
	bar.append(name);
	if (hasOthers) {
		const link = document.createElement('a');
		link.href = '/';
		link.textContent = t('Other Folders');
		bar.append(link);
	}
	bar.append(createSignOut());
	document.body.prepend(bar);
}

function createSignOut(): HTMLButtonElement {
	const button = document.createElement('button');
	button.type = 'button';
	button.textContent = t('Forget This Browser');
	button.addEventListener('click', () => void signOut());
	return button;
}

function showLost(words: string): void {
	const lost = createParagraph(words);
	lost.className = 'web-lost';
	lost.setAttribute('role', 'status');
	document.body.prepend(lost);
}

function showMain(...parts: readonly Node[]): void {
	for (const old of document.querySelectorAll('.web-main, .web-lost')) old.remove();
	const root = document.getElementById('root');
	if (root !== null) root.hidden = true;
	const main = document.createElement('main');
	main.className = 'web-main';
	main.append(...parts);
	document.body.append(main);
}

function createParagraph(words: string): HTMLParagraphElement {
	const element = document.createElement('p');
	element.textContent = words;
	return element;
}

/** Names the kind of theme, as the editor does. */
function followTheme(): void {
	const dark = matchMedia('(prefers-color-scheme: dark)');
	const tellTheme = () => {
		document.body.classList.toggle('vscode-dark', dark.matches);
		document.body.classList.toggle('vscode-light', !dark.matches);
	};
	tellTheme();
	dark.addEventListener('change', tellTheme);
	const stop = toDisposable(() => dark.removeEventListener('change', tellTheme));
	window.addEventListener('pagehide', () => stop.dispose());
}
