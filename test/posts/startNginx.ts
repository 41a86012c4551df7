import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';

const nginx = '/usr/sbin/nginx';

/** Starts nginx as a reverse proxy for a local port. Installs Debian's nginx if it is missing. */
export async function startNginx(behind: number): Promise<AsyncDisposable & { readonly port: number }> {
  if (!existsSync(nginx)) await install();
  const port = await unusedPort();
  const folder = temporaryFolder('di-nginx').path;
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, configuration(port, behind, folder));
  const child = spawn(nginx, ['-c', config, '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  // nginx can't pick a free port itself. It writes its PID file once it is listening.
  while (!existsSync(join(folder, 'nginx.pid'))) {
    if (child.exitCode === null) await delay(20);
    else if (readFileSync(join(folder, 'error.log'), 'utf8').includes('Address already in use'))
      return startNginx(behind);
    else throw new Error('nginx does not start.');
  }
  return { port, [Symbol.asyncDispose]: () => ended(child) };
}

async function install(): Promise<void> {
  console.log('Installing nginx for the tests: apt-get install nginx-light.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runProcess('apt-get', ['update'], { env });
  await runProcess('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light'], { env });
}

function configuration(port: number, behind: number, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      access_log off;
      ${temporary.map((part) => `${part}_temp_path ${folder}/${part};`).join('\n      ')}
      upstream service { server 127.0.0.1:${behind}; keepalive 16; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`;
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}
