/** The address of a team's database: where it is, and that nobody on the way can read or change what is said. */
import { ProwessError } from '../protocol/errors/errors.ts';

/** An `@` behind the host would belong to a password that is not escaped, of which nothing may be shown. */
const FORM =
	/^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]+)(?::(?<password>[^@/?#]*))?@)?(?<host>\[[\da-f:.]+\]|[\w.-]*)(?::(?<port>\d+))?(?:\/(?<database>[^?#/@]*))?(?:\?(?<query>[^#@]*))?$/i;
/** Parameters that are taken, of those of PostgreSQL's own programs: none that would loosen TLS. */
const PARAMETERS: ReadonlySet<string> = new Set(['host', 'sslmode', 'sslrootcert', 'application_name']);
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i;

interface TeamAddress {
	/** Address as the driver takes it, without parameters of TLS. */
	readonly url: string;
	/** Address without its password. */
	readonly shown: string;
	/** False: on this machine, nothing leaves it. Otherwise the certificate is verified, by the roots in this file if one is named. */
	readonly tls: false | { readonly rootsFile: string | undefined };
}

/** Throws INVALID_PARAMS. The address is not in the message: it may hold a password. */
export function readTeamAddress(text: string): TeamAddress {
	const found = FORM.exec(text)?.groups;
	if (found === undefined) {
		throw refuseAddress('expected postgres://NAME:PASSWORD@HOST/DATABASE, with special characters as %40 and the like');
	}
	const { user = '', host = '', port, database = '', query = '' } = found;
	const parameters = new URLSearchParams(query);
	const names = [...parameters.keys()];
	const unknown = names.find((name) => !PARAMETERS.has(name));
	if (unknown !== undefined) {
		throw refuseAddress(`the parameter "${unknown}" is not taken; known: ${[...PARAMETERS].join(', ')}`);
	}
	// The driver would take the last of them.
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined) {
		throw refuseAddress(`the parameter "${twice}" is there twice`);
	}
	const place = parameters.get('host') ?? host;
	if (place === '' || user === '') {
		throw refuseAddress(`it names no ${place === '' ? 'host' : 'user'}`);
	}
	const isHere = place.startsWith('/') || LOOPBACK.test(place);
	const mode = parameters.get('sslmode');
	if (mode !== null && mode !== 'verify-full' && !isHere) {
		throw refuseAddress(`sslmode=${mode}: for a database on another machine it must be verify-full, the default`);
	}
	const rootsFile = parameters.get('sslrootcert') ?? undefined;
	const usesTls = !isHere || mode === 'verify-full';
	parameters.delete('sslmode');
	parameters.delete('sslrootcert');
	const [scheme] = text.split('://', 1);
	const secret = found['password'] === undefined ? '' : `:${found['password']}`;
	const rest = `${host}${port === undefined ? '' : `:${port}`}/${database}`;
	const asked = parameters.size === 0 ? '' : `?${parameters.toString()}`;
	return {
		url: `${scheme}://${user}${secret}@${rest}${asked}`,
		shown: `${scheme}://${user}@${rest}${asked}`,
		tls: usesTls ? { rootsFile } : false,
	};
}

function refuseAddress(why: string): ProwessError {
	return new ProwessError('INVALID_PARAMS', `the address of the team's database is refused: ${why}`);
}
