/** Commands that a sandbox does not keep in: which of them fetch text from elsewhere, and which may send something. */
import { listChainCommands } from '../../../protocol/ops/commands/command-chain.ts';
import { readShellLine } from '../../../protocol/ops/commands/read-shell-line.ts';
import type { CommandTarget } from '../policy/commands/command-question.ts';
import { isReadingCommand } from '../policy/commands/reading-commands.ts';
import {
	INTERPRETERS,
	listNames,
	programName,
	runsOtherPrograms,
	SHELLS,
} from '../policy/commands/indirect-commands.ts';

const FETCHING =
	listNames(`curl wget aria2c ssh scp sftp rsync ftp lftp telnet nc ncat netcat socat gh glab hub tea aws gcloud az
	docker podman nerdctl kubectl helm vagrant ansible npx pnpx bunx uvx pipx brew apt apt-get yum dnf apk snap flatpak
	dig nslookup drill kdig getent ping ping6 fping traceroute traceroute6 tracepath mtr whois finger openssl mailx
	sendmail msmtp mutt httpie xh lynx w3m rclone restic s3cmd twine xdg-open firefox chromium google-chrome`);

/** Programs that mostly stay on this machine, and the words after which they fetch something. */
const FETCHING_AFTER: readonly (readonly [programs: ReadonlySet<string>, words: ReadonlySet<string>])[] = [
	[
		listNames('git hg svn'),
		listNames(
			'pull fetch clone ls-remote submodule remote push update incoming outgoing send-email request-pull lfs svn',
		),
	],
	[
		listNames('npm pnpm yarn bun pip poetry uv gem bundle bundler composer cargo go dotnet conda mamba rustup'),
		listNames(`install i ci add update upgrade up get download restore info view audit search sync exec dlx create x
			publish upload push login dist-tag`),
	],
];

/** Code in the words of an interpreter, by itself or attached to its flag. */
const INLINE_CODE_FLAG = /^-\w*[cep]$|^-[ce]\S|^-r$|^--(?:eval|print|command)(?:=|$)/i;
/** Shells whose lines are read here; those of others mean something else. */
const READ_SHELLS = listNames('sh bash dash zsh ksh ash rbash');
/** A flag of a program that names no file, and so takes its code from its input; not one that only tells of itself. */
const FLAG_OF_INPUT = /^-(?!-|[vh]$)/i;
/** Words by which such code connects. */
const CONNECTING_WORDS =
	/:\/\/|\b(?:curl|wget|ssh|scp|rsync|fetch|socket|requests?|urllib|https?|git\s+(?:pull|push|fetch|clone))\b/i;

/** True for a command without a sandbox whose output may be text from elsewhere. */
export function fetchesText({ argv }: Pick<CommandTarget, 'argv'>): boolean {
	return namesConnection(argv) || (runsInlineCode(argv) && argv.some((word) => CONNECTING_WORDS.test(word)));
}

/**
 * True for a command without a sandbox that may send something: where there is one that it leaves, whatever does more than
 * read; on a machine without one, what its words say.
 */
export function maySend(command: CommandTarget): boolean {
	if (command.isSandboxed === true || isReadingCommand(command)) {
		return false;
	}
	return command.leavesSandbox === true || namesConnection(command.argv) || runsInlineCode(command.argv);
}

function namesConnection([first = '', ...words]: readonly string[]): boolean {
	const program = programName(first);
	return (
		[first, ...words].some((word) => FETCHING.has(programName(word)) || word.includes('://')) ||
		FETCHING_AFTER.some(([programs, after]) => programs.has(program) && words.some((word) => after.has(word)))
	);
}

/** True for code in the words, or in the input, of a shell or an interpreter, also of one that another program runs. */
function runsInlineCode(argv: readonly string[]): boolean {
	return argv.some((word, at) => {
		const program = programName(word).replace(/\d[\d.]*$/, '');
		const words = argv.slice(at + 1);
		if (!SHELLS.has(program) && !INTERPRETERS.has(program)) return false;
		const isRun = at === 0 || runsOtherPrograms(argv);
		if (isRun && words.every((each) => FLAG_OF_INPUT.test(each))) return true;
		return SHELLS.has(program) ? runsUnreadLine(program, words) : words.some((each) => INLINE_CODE_FLAG.test(each));
	});
}

/** A line for a shell counts by its commands. A line that cannot be read whole counts. */
function runsUnreadLine(shell: string, words: readonly string[]): boolean {
	const at = words.findIndex((word) => /^(?:-\w*|\/)[ck]/i.test(word));
	if (at === -1) return false;
	const line = words[at + 1];
	if (!READ_SHELLS.has(shell) || line === undefined || /^[-+]/.test(line)) return true;
	const read = readShellLine(line);
	return (
		read === undefined || listChainCommands(read).some(({ argv }) => namesConnection(argv) || runsInlineCode(argv))
	);
}
