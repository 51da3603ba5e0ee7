#ifdef __linux__
#define _GNU_SOURCE
#include "CTun.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/inet_diag.h>
#include <linux/ipv6.h>
#include <linux/ipv6_route.h>
#include <linux/netlink.h>
#include <linux/route.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[DEADZONE_DEVICES] = {"wlan0", "rmnet0", "srv0"};
static const int network_of[DEADZONE_DEVICES] = {DEADZONE_OF_PHONE, DEADZONE_OF_PHONE, DEADZONE_OF_SERVER};

/* Between deadzone and the keeper, both ways. */
enum { LAUNCH = 1, SIGNAL, LISTENING, ENDED, LISTENERS, OPENED, REFUSED };
struct message {
    int what;
    int program;
    int value;
    int never_started;
    char step[48];
};

static int fds_of(const struct deadzone_sandbox *s, int *fds) {
    int n = 0;
    for (int i = 0; i < DEADZONE_DEVICES; i++) fds[n++] = s->devices[i];
    for (int i = 0; i < DEADZONE_NETWORKS; i++) fds[n++] = s->sockets[i];
    for (int i = 0; i < DEADZONE_NETWORKS; i++) fds[n++] = s->sockets6[i];
    fds[n++] = s->diagnostics;
    return n;
}

enum { OWN = DEADZONE_DEVICES + 2 * DEADZONE_NETWORKS + 1, PASSED = OWN + DEADZONE_FORWARDS };
union passing {
    struct cmsghdr header;
    char room[CMSG_SPACE(PASSED * sizeof(int))];
};

static int tell(int control, int what, int program, int value) {
    struct message m = {.what = what, .program = program, .value = value};
    return send(control, &m, sizeof m, MSG_NOSIGNAL) == sizeof m ? 0 : errno;
}

/* MARK: Devices, from inside and from outside */

/* In its place stands a socket of IPv4: there is something to hand over in any case. */
static int has_ipv6(const struct deadzone_sandbox *s, int network) {
    int domain = 0;
    socklen_t length = sizeof domain;
    return getsockopt(s->sockets6[network], SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_INET6;
}

static void name_device(struct ifreq *r, int device) {
    memset(r, 0, sizeof *r);
    strncpy(r->ifr_name, names[device], IFNAMSIZ - 1);
}

static void put_address(struct sockaddr *place, uint32_t address) {
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {address}};
    memcpy(place, &in, sizeof in);
}

static int set_link(int socket, int device, int is_up) {
    struct ifreq r;
    name_device(&r, device);
    if (ioctl(socket, SIOCGIFFLAGS, &r) < 0) return errno;
    r.ifr_flags = (short)(is_up ? r.ifr_flags | IFF_UP | IFF_RUNNING : r.ifr_flags & ~IFF_UP);
    return ioctl(socket, SIOCSIFFLAGS, &r) < 0 ? errno : 0;
}

static int set_ipv4(int socket, int device, uint32_t address) {
    struct ifreq r;
    name_device(&r, device);
    put_address(&r.ifr_addr, address);
    if (ioctl(socket, SIOCSIFADDR, &r) < 0) return errno;
    if (address == 0) return 0;
    put_address(&r.ifr_netmask, 0xffffffff);
    return ioctl(socket, SIOCSIFNETMASK, &r) < 0 ? errno : 0;
}

static int number_of(int socket, int device) {
    struct ifreq r;
    name_device(&r, device);
    return ioctl(socket, SIOCGIFINDEX, &r) < 0 ? 0 : r.ifr_ifindex;
}

/* A device that goes down loses what it has of IPv6. */
static int set_ipv6(int socket, int device, const uint8_t *address) {
    struct in6_ifreq r = {.ifr6_prefixlen = 128, .ifr6_ifindex = number_of(socket, device)};
    memcpy(&r.ifr6_addr, address, sizeof r.ifr6_addr);
    return ioctl(socket, SIOCSIFADDR, &r) < 0 ? errno : 0;
}

int deadzone_set_address(const struct deadzone_sandbox *s, int device, const struct deadzone_address *address) {
    int network = network_of[device];
    int code = set_ipv4(s->sockets[network], device, address ? address->ipv4 : 0);
    if (code == 0) code = set_link(s->sockets[network], device, address != NULL);
    /* A kernel without IPv6 has no socket for it. */
    if (code == 0 && address && has_ipv6(s, network)) code = set_ipv6(s->sockets6[network], device, address->ipv6);
    return code;
}

int deadzone_set_route(const struct deadzone_sandbox *s, int device, int metric, int is_there) {
    int network = network_of[device];
    struct rtentry route;
    memset(&route, 0, sizeof route);
    put_address(&route.rt_dst, 0);
    put_address(&route.rt_genmask, 0);
    char name[IFNAMSIZ];
    strncpy(name, names[device], sizeof name - 1);
    name[sizeof name - 1] = 0;
    route.rt_dev = name;
    route.rt_flags = RTF_UP;
    route.rt_metric = (short)(metric + 1);
    if (ioctl(s->sockets[network], is_there ? SIOCADDRT : SIOCDELRT, &route) < 0) return errno;
    if (!has_ipv6(s, network)) return 0;
    struct in6_rtmsg route6 = {.rtmsg_flags = RTF_UP, .rtmsg_metric = (uint32_t)metric + 1,
                               .rtmsg_ifindex = number_of(s->sockets[network], device)};
    return ioctl(s->sockets6[network], is_there ? SIOCADDRT : SIOCDELRT, &route6) < 0 ? errno : 0;
}

int deadzone_socket_state(const struct deadzone_sandbox *s, const struct deadzone_connection *c) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } out;
    memset(&out, 0, sizeof out);
    out.header.nlmsg_len = sizeof out;
    out.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    out.header.nlmsg_flags = NLM_F_REQUEST;
    out.request.sdiag_family = c->is_ipv6 ? AF_INET6 : AF_INET;
    out.request.sdiag_protocol = c->is_udp ? IPPROTO_UDP : IPPROTO_TCP;
    out.request.idiag_states = ~0u;
    /* Linux has the ends of UDP the other way round (net/ipv4/udp_diag.c: swapped for historical reasons). */
    __be16 *const ports[2] = {&out.request.id.idiag_sport, &out.request.id.idiag_dport};
    __be32 *const addresses[2] = {out.request.id.idiag_src, out.request.id.idiag_dst};
    int own = c->is_udp ? 1 : 0;
    *ports[own] = htons(c->phone_port);
    *ports[1 - own] = htons(c->server_port);
    memcpy(addresses[own], c->phone, c->is_ipv6 ? 16 : 4);
    memcpy(addresses[1 - own], c->server, c->is_ipv6 ? 16 : 4);
    out.request.id.idiag_cookie[0] = out.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    if (send(s->diagnostics, &out, sizeof out, 0) != sizeof out) return -1;
    /* The kernel answers before `send` returns. */
    union {
        struct nlmsghdr header;
        char room[1024];
    } in;
    ssize_t length = recv(s->diagnostics, &in, sizeof in, MSG_DONTWAIT);
    if (length < (ssize_t)sizeof in.header) return -1;
    if (in.header.nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *error = NLMSG_DATA(&in.header);
        return length >= (ssize_t)NLMSG_LENGTH(sizeof *error) && error->error == -ENOENT ? 0 : -1;
    }
    const struct inet_diag_msg *found = NLMSG_DATA(&in.header);
    if (in.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || length < (ssize_t)NLMSG_LENGTH(sizeof *found)) return -1;
    return found->idiag_state;
}

static int make_device(int device) {
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return -1;
    struct ifreq r;
    name_device(&r, device);
    r.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (ioctl(fd, TUNSETIFF, &r) == 0) return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

/* MARK: The keeper. Everything below runs in the cloned child: no memory is taken, no lock, no stdio. So it calls the
   kernel where the C library's own function takes locks (fork, setuid): the clone may have copied a lock that a thread
   held which does not exist here, and would wait for it forever. */

static pid_t fork_without_locks(void) { return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

static int write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t length = (ssize_t)strlen(text);
    ssize_t written = write(fd, text, (size_t)length);
    close(fd);
    return written == length ? 0 : -1;
}

static int map_user(uint32_t user, uint32_t group) {
    char line[64];
    write_file("/proc/self/setgroups", "deny");
    snprintf(line, sizeof line, "%u %u 1\n", user, user);
    if (write_file("/proc/self/uid_map", line) < 0) return -1;
    snprintf(line, sizeof line, "%u %u 1\n", group, group);
    return write_file("/proc/self/gid_map", line);
}

/* Files that only processes of this mount namespace see, in memory. */
static int cover(const char *path, const char *text, const char *name) {
    char file[64];
    snprintf(file, sizeof file, "/mnt/%s", name);
    int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return -1;
    ssize_t written = write(fd, text, strlen(text));
    close(fd);
    if (written < 0) return -1;
    return mount(file, path, NULL, MS_BIND, NULL);
}

static int make_files(const struct deadzone_wish *wish, const char **step) {
    if (mount("deadzone", "/mnt", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755") < 0) return -1;
    /* Without them a program would ask who is not there, in silence. */
    *step = "an /etc/hosts of its own (one must be there, if empty)";
    if (cover("/etc/hosts", wish->hosts, "hosts") < 0) return -1;
    *step = "an /etc/resolv.conf of its own (one must be there, if empty)";
    if (cover("/etc/resolv.conf", wish->resolver, "resolv.conf") < 0) return -1;
    *step = "files of its own";
    return umount2("/mnt", MNT_DETACH);
}

static int make_network(struct deadzone_sandbox *s, int network, int *ns, const char **step) {
    *step = "a network namespace";
    if (unshare(CLONE_NEWNET) < 0) return -1;
    *ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (*ns < 0) return -1;
    s->sockets[network] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s->sockets[network] < 0) return -1;
    s->sockets6[network] = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s->sockets6[network] < 0) s->sockets6[network] = dup(s->sockets[network]);
    if (s->sockets6[network] < 0) return -1;
    if (network == DEADZONE_OF_PHONE) {
        s->diagnostics = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
        /* A kernel without it refuses every request on the socket that takes its place. */
        if (s->diagnostics < 0) s->diagnostics = dup(s->sockets[network]);
        if (s->diagnostics < 0) return -1;
    }
    /* A device has the address that it is given, and asks nobody for another: what a kernel says of itself costs the radio. */
    write_file("/proc/sys/net/ipv6/conf/default/addr_gen_mode", "1");
    write_file("/proc/sys/net/ipv6/conf/default/accept_ra", "0");
    write_file("/proc/sys/net/ipv6/conf/default/accept_dad", "0");
    struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK};
    *step = "the loopback device";
    if (ioctl(s->sockets[network], SIOCSIFFLAGS, &lo) < 0) return -1;
    for (int device = 0; device < DEADZONE_DEVICES; device++) {
        if (network_of[device] != network) continue;
        *step = "a device of /dev/net/tun";
        s->devices[device] = make_device(device);
        if (s->devices[device] < 0) return -1;
    }
    return 0;
}

/* What the relay accepts from: the server's network is the keeper's own by now. */
static int make_listener(const struct deadzone_forward *forward) {
    /* Of both families, where the kernel has both. */
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), no = 0;
    struct sockaddr_in6 both = {.sin6_family = AF_INET6, .sin6_port = htons(forward->port)};
    struct sockaddr_in one = {.sin_family = AF_INET, .sin_port = htons(forward->port)};
    const struct sockaddr *address = (struct sockaddr *)&both;
    socklen_t length = sizeof both;
    if (fd >= 0) {
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    } else {
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        address = (struct sockaddr *)&one;
        length = sizeof one;
    }
    if (fd < 0 || bind(fd, address, length) < 0 || listen(fd, 128) < 0) return -1;
    return fd;
}

static int make_all(const struct deadzone_wish *wish, struct deadzone_sandbox *s, int *ns, int *listeners,
                    const char **step) {
    *step = "the map of users";
    if (wish->in_user_namespace && map_user(wish->user, wish->group) < 0) return -1;
    *step = "mounts of its own";
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -1;
    /* A container may mask /proc: programs then see the old one. */
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    *step = "files of its own";
    if (make_files(wish, step) < 0) return -1;
    for (int network = 0; network < DEADZONE_NETWORKS; network++)
        if (make_network(s, network, &ns[network], step) < 0) return -1;
    *step = "the server's network";
    if ((errno = deadzone_set_address(s, DEADZONE_SERVER, &wish->server_address))) return -1;
    if ((errno = deadzone_set_route(s, DEADZONE_SERVER, 0, 1))) return -1;
    *step = "a port to forward";
    for (int i = 0; i < wish->forwards; i++)
        if ((listeners[i] = make_listener(&wish->forward[i])) < 0) return -1;
    return 0;
}

static int send_opened(int control, const struct deadzone_sandbox *s, const int *listeners, int forwards) {
    struct message m = {.what = OPENED};
    int fds[PASSED];
    int count = fds_of(s, fds);
    for (int i = 0; i < forwards; i++) fds[count++] = listeners[i];
    union passing passing;
    memset(&passing, 0, sizeof passing);
    struct iovec part = {&m, sizeof m};
    struct msghdr out = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = passing.room,
                         .msg_controllen = sizeof passing.room};
    out.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    struct cmsghdr *c = CMSG_FIRSTHDR(&out);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
    return sendmsg(control, &out, MSG_NOSIGNAL) == sizeof m ? 0 : -1;
}

static void not_started(int report, int code) {
    (void)!write(report, "", 1);
    _exit(code);
}

/* `report` receives a byte if the program cannot be started; its exec closes it. */
static void become(const struct deadzone_wish *wish, const struct deadzone_program *p, int ns, int report) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    setpgid(0, 0);
    if (setns(ns, CLONE_NEWNET) < 0) not_started(report, 126);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(p->output < 0 ? nowhere : p->output, 1);
    dup2(p->errors < 0 ? nowhere : p->errors, 2);
    if (report != 3) dup3(report, 3, O_CLOEXEC);
    syscall(SYS_close_range, 4u, ~0u, 0u);
    /* Root made the namespaces; the program runs as who asked for it. */
    if (!wish->in_user_namespace && (syscall(SYS_setgroups, 0, NULL) < 0 || syscall(SYS_setgid, wish->group) < 0 ||
                                     syscall(SYS_setuid, wish->user) < 0))
        not_started(3, 126);
    execvpe(p->arguments[0], p->arguments, p->environment);
    not_started(3, errno == ENOENT ? 127 : 126);
}

/* Something of the server waits for connections, or for datagrams: bits of DEADZONE_LISTENS. */
static int listeners_of(void) {
    int found = 0;
    char text[4096];
    const char *const files[] = {"/proc/self/net/tcp", "/proc/self/net/tcp6", "/proc/self/net/udp", "/proc/self/net/udp6"};
    for (int i = 0; i < 4; i++) {
        int fd = open(files[i], O_RDONLY | O_CLOEXEC);
        if (fd < 0) continue;
        ssize_t length = read(fd, text, sizeof text - 1);
        close(fd);
        if (length <= 0) continue;
        text[length] = 0;
        /* TCP_LISTEN is 0A; of UDP whatever is bound counts. */
        if (i < 2 && strstr(text, " 0A ")) found |= DEADZONE_LISTENS_TCP;
        if (i >= 2 && strchr(text, '\n') && strchr(text, '\n')[1]) found |= DEADZONE_LISTENS_UDP;
    }
    return found;
}

struct keeper {
    int control;
    int children;
    int ns[DEADZONE_NETWORKS];
    pid_t pids[DEADZONE_PROGRAMS];
    /* For each running program, the read end of the pipe that says if it could not be started. */
    int reports[DEADZONE_PROGRAMS];
};

static void reap(struct keeper *k, int programs) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < programs; i++)
            if (k->pids[i] == pid) {
                /* What it has left behind ends with it. */
                kill(-pid, SIGKILL);
                k->pids[i] = 0;
                char byte;
                struct message m = {.what = ENDED, .program = i, .value = status};
                m.never_started = read(k->reports[i], &byte, 1) == 1;
                close(k->reports[i]);
                send(k->control, &m, sizeof m, MSG_NOSIGNAL);
            }
}

static void obey(struct keeper *k, const struct deadzone_wish *wish, const struct message *m) {
    int known = m->program >= 0 && m->program < wish->programs;
    if (m->what == LAUNCH && known && k->pids[m->program] == 0) {
        int report[2] = {-1, -1};
        pid_t pid = pipe2(report, O_CLOEXEC | O_NONBLOCK) < 0 ? -1 : fork_without_locks();
        if (pid == 0) become(wish, &wish->program[m->program], k->ns[wish->program[m->program].network], report[1]);
        if (report[1] >= 0) close(report[1]);
        if (pid < 0) {
            if (report[0] >= 0) close(report[0]);
            struct message end = {.what = ENDED, .program = m->program, .value = 126 << 8, .never_started = 1};
            send(k->control, &end, sizeof end, MSG_NOSIGNAL);
        } else {
            setpgid(pid, pid);
            k->pids[m->program] = pid;
            k->reports[m->program] = report[0];
        }
    } else if (m->what == SIGNAL && known && k->pids[m->program] > 0) {
        kill(-k->pids[m->program], m->value);
    } else if (m->what == LISTENING) {
        tell(k->control, LISTENERS, 0, listeners_of());
    }
}

/* Only what the keeper needs stays open: an end of a pipe that it holds by mistake would keep somebody waiting. */
static void close_others(const struct deadzone_wish *wish, int control) {
    struct stat info;
    for (int fd = 3; fd < 4096; fd++) {
        int wanted = fd == control;
        for (int i = 0; i < wish->programs; i++)
            wanted = wanted || fd == wish->program[i].output || fd == wish->program[i].errors;
        if (!wanted && fstat(fd, &info) == 0) close(fd);
    }
    syscall(SYS_close_range, 4096u, ~0u, 0u);
}

static void keep(const struct deadzone_wish *wish, int control) {
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    close_others(wish, control);
    struct keeper k = {.control = control};
    struct deadzone_sandbox s;
    int listeners[DEADZONE_FORWARDS];
    const char *step = "";
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
    if (make_all(wish, &s, k.ns, listeners, &step) < 0) {
        struct message m = {.what = REFUSED, .value = errno};
        strncpy(m.step, step, sizeof m.step - 1);
        send(control, &m, sizeof m, MSG_NOSIGNAL);
        _exit(1);
    }
    k.children = signalfd(-1, &child, SFD_CLOEXEC);
    if (k.children < 0 || send_opened(control, &s, listeners, wish->forwards) < 0) _exit(1);
    int fds[PASSED];
    int count = fds_of(&s, fds);
    for (int i = 0; i < count; i++) close(fds[i]);
    for (int i = 0; i < wish->forwards; i++) close(listeners[i]);
    struct pollfd polled[2] = {{control, POLLIN, 0}, {k.children, POLLIN, 0}};
    while (poll(polled, 2, -1) >= 0 || errno == EINTR) {
        if (polled[1].revents) {
            struct signalfd_siginfo info;
            (void)!read(k.children, &info, sizeof info);
            reap(&k, wish->programs);
        }
        if (polled[0].revents) {
            struct message m;
            if (recv(control, &m, sizeof m, 0) != sizeof m) break;
            obey(&k, wish, &m);
        }
    }
    /* Process 1 ends, and the kernel ends all others of the namespace. */
    _exit(0);
}

/* MARK: From outside */

/* Bytes both ways until one side has ended; a reset is handed on as one. Runs in a process of its own. */
static void carry(int near_end, const struct sockaddr_in *target) {
    int ends[2] = {near_end, socket(AF_INET, SOCK_STREAM, 0)};
    struct linger at_once = {1, 0};
    char bytes[65536];
    int open_ways = 2;
    int is_reset = connect(ends[1], (const struct sockaddr *)target, sizeof *target) < 0;
    struct pollfd polled[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
    while (!is_reset && open_ways > 0 && poll(polled, 2, -1) > 0) {
        for (int from = 0; from < 2 && !is_reset; from++) {
            if (!polled[from].revents) continue;
            ssize_t count = read(ends[from], bytes, sizeof bytes);
            if (count == 0) {
                shutdown(ends[1 - from], SHUT_WR);
                polled[from].fd = -1;
                open_ways--;
            }
            for (ssize_t sent = 0, n; sent < count && !is_reset; sent += n) {
                n = send(ends[1 - from], bytes + sent, (size_t)(count - sent), MSG_NOSIGNAL);
                is_reset = n < 0;
            }
            is_reset = is_reset || count < 0;
        }
    }
    if (is_reset)
        for (int i = 0; i < 2; i++) setsockopt(ends[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    _exit(0);
}

/* Accepts in the server's network, connects in the caller's. Whatever ends the caller ends it, and its children with it. */
static pid_t relay(int listener, const struct deadzone_forward *forward) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    signal(SIGCHLD, SIG_IGN);
    setsid();
    dup2(listener, 3);
    syscall(SYS_close_range, 4u, ~0u, 0u);
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons(forward->target_port),
                                 .sin_addr = {forward->address}};
    for (;;) {
        int fd = accept(3, NULL, NULL);
        if (fd < 0) continue;
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            carry(fd, &target);
        }
        close(fd);
    }
}

static int receive_opened(int control, struct deadzone_sandbox *s, int *listeners, int forwards, struct message *m) {
    union passing passing;
    struct iovec part = {m, sizeof *m};
    struct msghdr in = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = passing.room,
                        .msg_controllen = sizeof passing.room};
    ssize_t length;
    do length = recvmsg(control, &in, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    if (length != sizeof *m) return ECHILD;
    if (m->what != OPENED) return m->value ? m->value : ECHILD;
    struct cmsghdr *c = CMSG_FIRSTHDR(&in);
    size_t count = OWN + (size_t)forwards;
    if (!c || c->cmsg_len != CMSG_LEN(count * sizeof(int))) return EPROTO;
    int fds[PASSED];
    memcpy(fds, CMSG_DATA(c), count * sizeof(int));
    for (int i = 0; i < forwards; i++) listeners[i] = fds[OWN + i];
    for (int i = 0; i < DEADZONE_DEVICES; i++) s->devices[i] = fds[i];
    for (int i = 0; i < DEADZONE_NETWORKS; i++) {
        s->sockets[i] = fds[DEADZONE_DEVICES + i];
        s->sockets6[i] = fds[DEADZONE_DEVICES + DEADZONE_NETWORKS + i];
    }
    s->diagnostics = fds[OWN - 1];
    return 0;
}

int deadzone_open(const struct deadzone_wish *wish, struct deadzone_sandbox *sandbox, const char **step) {
    static _Thread_local char refused[48];
    int pair[2];
    *step = "a pair of sockets";
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) return errno;
    *step = "namespaces";
    unsigned long flags = CLONE_NEWPID | CLONE_NEWNS | SIGCHLD | (wish->in_user_namespace ? CLONE_NEWUSER : 0);
    sigset_t all, before;
    sigfillset(&all);
    /* No handler of the parent may run in the child. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    long pid = syscall(SYS_clone, flags, 0, 0, 0, 0);
    int code = errno;
    if (pid == 0) {
        close(pair[0]);
        keep(wish, pair[1]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return code;
    }
    sandbox->keeper = (int)pid;
    sandbox->control = pair[0];
    struct message m = {0};
    int listeners[DEADZONE_FORWARDS];
    sandbox->forwards = 0;
    code = receive_opened(pair[0], sandbox, listeners, wish->forwards, &m);
    if (code == 0) {
        for (int i = 0; i < wish->forwards; i++) {
            sandbox->relays[sandbox->forwards++] = relay(listeners[i], &wish->forward[i]);
            close(listeners[i]);
        }
        return 0;
    }
    memcpy(refused, m.step, sizeof refused);
    refused[sizeof refused - 1] = 0;
    *step = refused;
    close(pair[0]);
    kill((pid_t)pid, SIGKILL);
    waitpid((pid_t)pid, NULL, 0);
    return code;
}

void deadzone_close(struct deadzone_sandbox *s) {
    int fds[PASSED];
    int count = fds_of(s, fds);
    for (int i = 0; i < s->forwards; i++) {
        if (s->relays[i] <= 0) continue;
        kill(s->relays[i], SIGKILL);
        while (waitpid(s->relays[i], NULL, 0) < 0 && errno == EINTR) {}
    }
    kill(s->keeper, SIGKILL);
    while (waitpid(s->keeper, NULL, 0) < 0 && errno == EINTR) {}
    for (int i = 0; i < count; i++) close(fds[i]);
    close(s->control);
}

int deadzone_launch(int control, int program) { return tell(control, LAUNCH, program, 0); }
int deadzone_signal(int control, int program, int number) { return tell(control, SIGNAL, program, number); }
int deadzone_ask_listening(int control) { return tell(control, LISTENING, 0, 0); }

int deadzone_hear(int control, struct deadzone_end *end) {
    struct message m;
    ssize_t length = recv(control, &m, sizeof m, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (length != sizeof m) return -1;
    if (m.what == LISTENERS) {
        end->listens = m.value;
        return 2;
    }
    if (m.what != ENDED) return 0;
    end->program = m.program;
    end->status = m.value;
    end->never_started = m.never_started;
    return 1;
}

/* MARK: A gateway */

int deadzone_gateway_open(const char *device, int *fd) {
    *fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, device ? htons(ETH_P_IP) : 0);
    if (*fd < 0) return errno;
    if (!device) return 0;
    struct ifreq r;
    memset(&r, 0, sizeof r);
    strncpy(r.ifr_name, device, IFNAMSIZ - 1);
    int code = ioctl(*fd, SIOCGIFINDEX, &r) < 0 ? errno : 0;
    struct sockaddr_ll own = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP), .sll_ifindex = r.ifr_ifindex};
    if (code == 0 && bind(*fd, (struct sockaddr *)&own, sizeof own) < 0) code = errno;
    int room = 1 << 22;
    setsockopt(*fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (code != 0) close(*fd);
    return code;
}

long deadzone_gateway_read(int fd, void *bytes, size_t room, struct deadzone_peer *from) {
    struct sockaddr_ll sender;
    for (;;) {
        socklen_t length = sizeof sender;
        ssize_t count = recvfrom(fd, bytes, room, 0, (struct sockaddr *)&sender, &length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -1;
        /* Not what this machine has sent itself, nor what is for everybody. */
        if (sender.sll_pkttype != PACKET_HOST) continue;
        memcpy(from->bytes, &sender, sizeof sender);
        from->length = length;
        return count;
    }
}

void deadzone_gateway_write(int fd, const void *bytes, size_t length, struct deadzone_peer *to) {
    struct sockaddr_ll peer;
    memcpy(&peer, to->bytes, sizeof peer);
    peer.sll_protocol = htons(ETH_P_IP);
    (void)!sendto(fd, bytes, length, 0, (struct sockaddr *)&peer, sizeof peer);
}

int deadzone_is_own(uint32_t address) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return 0;
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {address}};
    int is_own = bind(fd, (struct sockaddr *)&in, sizeof in) == 0;
    close(fd);
    return is_own;
}

int deadzone_pipe(int *near_end, int *far_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *near_end = ends[0];
    *far_end = ends[1];
    return 0;
}

int deadzone_wait(struct pollfd *polled, int count, int64_t nanoseconds) {
    /* A kernel may put timers of a thread together for 50 us. */
    prctl(PR_SET_TIMERSLACK, 1);
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return ppoll(polled, (nfds_t)count, &limit, NULL);
}

/* MARK: Commands of the user. A supervisor process ends everything that a command has started when deadzone ends. */

/* Deadzone alone holds the write end, so the read end sees its end, even by SIGKILL. */
static int lifeline[2] = {-1, -1};
static pthread_once_t lifeline_once = PTHREAD_ONCE_INIT;

static void make_lifeline(void) {
    if (pipe2(lifeline, O_CLOEXEC) < 0) lifeline[0] = lifeline[1] = -1;
}

/* Kills the children of this process until there are none: the orphans of each become its children, because it is a
   subreaper. A kernel without the list of children (CONFIG_PROC_CHILDREN) ends only the group of the shell. */
static void end_descendants(pid_t shell) {
    char text[4096];
    do {
        int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
        ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
        if (fd >= 0) close(fd);
        text[length < 0 ? 0 : length] = 0;
        for (char *rest = text; *rest;) {
            char *end;
            long pid = strtol(rest, &end, 10);
            /* The last number may be cut off by the end of the buffer; the next round reads it whole. */
            if (end == rest || *end == 0) break;
            if (pid > 1) kill((pid_t)pid, SIGKILL);
            rest = end;
        }
        if (fd < 0) {
            kill(-shell, SIGKILL);
            return;
        }
    } while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
}

/* Runs in a process of its own: runs the command, and ends when all its processes or deadzone have ended. */
static void supervise(const char *command, int32_t number, int report) {
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* Above the two numbers that are given away next. */
    int high = fcntl(report, F_DUPFD, 5);
    dup2(lifeline[0], 3);
    if (high >= 0) dup2(high, 4);
    syscall(SYS_close_range, high >= 0 ? 5u : 4u, ~0u, 0u);
    sigset_t child, none;
    sigemptyset(&none);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    int children = signalfd(-1, &child, SFD_CLOEXEC);
    pid_t shell = fork();
    if (shell == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, 0);
        /* Standard output is for results. */
        dup2(2, 1);
        syscall(SYS_close_range, 3u, ~0u, 0u);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (shell < 0) _exit(1);
    setpgid(shell, shell);
    /* The reader may be gone. The shell began with the default action of this signal. */
    signal(SIGPIPE, SIG_IGN);
    struct pollfd polled[2] = {{3, POLLIN, 0}, {children, POLLIN, 0}};
    while (poll(polled, 2, -1) >= 0 || errno == EINTR) {
        if (polled[0].revents) {
            end_descendants(shell);
            _exit(0);
        }
        if (!polled[1].revents) continue;
        struct signalfd_siginfo info;
        (void)!read(children, &info, sizeof info);
        pid_t pid;
        int status;
        while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
            if (pid != shell || high < 0) continue;
            struct deadzone_command_end end = {.number = number, .status = status};
            (void)!write(4, &end, sizeof end);
        }
        if (pid < 0 && errno == ECHILD) _exit(0);
    }
    _exit(1);
}

int deadzone_next_command_end(int near_end, struct deadzone_command_end *end) {
    /* Writes of this size are not divided. */
    return read(near_end, end, sizeof *end) == (ssize_t)sizeof *end;
}

int deadzone_run_outside(const char *command, int32_t number, int report) {
    pthread_once(&lifeline_once, make_lifeline);
    if (lifeline[0] < 0) return -1;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        /* Forked twice, so that init reaps the supervisor. */
        if (fork() == 0) supervise(command, number, report);
        _exit(0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) return -1;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    return 0;
}
#endif
