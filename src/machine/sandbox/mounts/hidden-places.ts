/**
 * Folders of this machine that a sandboxed command does not find: the homes of all users, and the places where other
 * programs wait for orders at a socket (containers, the desktop, databases, agents that hold keys).
 */
export const HIDDEN_FOLDERS: readonly string[] = [
	'/home',
	'/root',
	'/run',
	'/var/run',
	'/mnt',
	'/media',
	'/var/snap',
	'/var/lib/docker',
	'/var/lib/containerd',
	'/var/lib/containers',
	'/var/lib/lxd',
	'/var/lib/incus',
	'/var/lib/libvirt',
	'/var/lib/kubelet',
	'/var/lib/mysql',
	'/var/lib/postgresql',
	'/var/lib/redis',
	'/var/spool/cron',
	'/etc/ssl/private',
];

/** Parts of `/run` that programs need to start. */
export const SHOWN_AGAIN: readonly string[] = ['/run/current-system', '/run/opengl-driver', '/run/wrappers'];

/** Files that only the superuser can read, and that it need not read here. */
export const HIDDEN_FILES: readonly string[] = [
	'/etc/shadow',
	'/etc/shadow-',
	'/etc/gshadow',
	'/etc/gshadow-',
	'/etc/sudoers',
	'/etc/krb5.keytab',
	'/etc/ssh/ssh_host_rsa_key',
	'/etc/ssh/ssh_host_ecdsa_key',
	'/etc/ssh/ssh_host_ed25519_key',
];
