#ifndef DEADZONE_CTUN_H
#define DEADZONE_CTUN_H

#include <stddef.h>
#include <stdint.h>

/* A phone and a server made of Linux namespaces. What needs a process of one thread (a user namespace) happens here, after a clone and
   before any exec, in C that calls the kernel alone; a program of many threads only asks for it.

   deadzone ──clone──▶ keeper (process 1 of its namespace) ──fork──▶ client, server
   Whatever ends deadzone ends the keeper, and the kernel ends with it every process, device and mount of its namespaces. */

enum { DEADZONE_DEVICES = 3, DEADZONE_NETWORKS = 2, DEADZONE_PROGRAMS = 8, DEADZONE_FORWARDS = 8 };
enum { DEADZONE_WLAN = 0, DEADZONE_RMNET = 1, DEADZONE_SERVER = 2 };
enum { DEADZONE_OF_PHONE = 0, DEADZONE_OF_SERVER = 1 };
enum { DEADZONE_LISTENS_TCP = 1, DEADZONE_LISTENS_UDP = 2 };

struct deadzone_program {
    char *const *arguments;
    char *const *environment;
    int network;
    /* Descriptors that become its standard output and error; -1: nowhere. */
    int output;
    int errors;
};

/* A port of the server's address that is served by what listens outside of the namespaces: TCP alone. */
struct deadzone_forward {
    uint16_t port;
    /* In network byte order. */
    uint32_t address;
    uint16_t target_port;
};

/* Of one host in both families, in network byte order. */
struct deadzone_address {
    uint32_t ipv4;
    uint8_t ipv6[16];
};

struct deadzone_wish {
    /* 0: the caller is root and makes them without a user namespace. */
    int in_user_namespace;
    uint32_t user;
    uint32_t group;
    /* In network byte order. */
    struct deadzone_address server_address;
    /* What stands in /etc/hosts and /etc/resolv.conf. */
    const char *hosts;
    const char *resolver;
    int programs;
    struct deadzone_program program[DEADZONE_PROGRAMS];
    int forwards;
    struct deadzone_forward forward[DEADZONE_FORWARDS];
};

struct deadzone_sandbox {
    int keeper;
    int control;
    int devices[DEADZONE_DEVICES];
    /* A socket in each network: what it is asked of devices and routes is asked there. */
    int sockets[DEADZONE_NETWORKS];
    /* The same for IPv6. */
    int sockets6[DEADZONE_NETWORKS];
    /* A netlink socket in the phone's network that reads the states of its sockets (sock_diag(7)). */
    int diagnostics;
    /* Processes that forward, and how many. */
    int relays[DEADZONE_FORWARDS];
    int forwards;
};

/* What a program did: it ended with this status of wait. Or an answer: bits of DEADZONE_LISTENS. */
struct deadzone_end {
    int program;
    int status;
    int listens;
    /* 1: it could not be started. */
    int never_started;
};

/* 0, or an error number; `step` is then what was refused. */
int deadzone_open(const struct deadzone_wish *wish, struct deadzone_sandbox *sandbox, const char **step);
/* Ends every process of it, and waits until the last is gone. */
void deadzone_close(struct deadzone_sandbox *sandbox);

int deadzone_launch(int control, int program);
/* To every process of the program's group. */
int deadzone_signal(int control, int program, int number);
/* The keeper answers by a message of the control socket, with the kinds of sockets on which the server listens. */
int deadzone_ask_listening(int control);
/* 1: a program has ended; 2: the answer, in `listens`; 0: nothing to hear; -1: the keeper is gone. */
int deadzone_hear(int control, struct deadzone_end *end);

/* Devices of a network by their number. Without an address the device is down, and has no route. */
int deadzone_set_address(const struct deadzone_sandbox *sandbox, int device, const struct deadzone_address *address);
/* The default route of both families. */
int deadzone_set_route(const struct deadzone_sandbox *sandbox, int device, int metric, int is_there);

/* A connection of the phone, of TCP or over UDP. Addresses in network byte order, the first four bytes for IPv4. */
struct deadzone_connection {
    int is_ipv6;
    int is_udp;
    uint8_t phone[16];
    uint16_t phone_port;
    uint8_t server[16];
    uint16_t server_port;
};

/* The state of the phone's socket of a connection (TCP_ESTABLISHED and the others of netinet/tcp.h; also for UDP). 0: there is
   no socket. -1: the kernel does not report states. */
int deadzone_socket_state(const struct deadzone_sandbox *sandbox, const struct deadzone_connection *connection);

/* Who is at the other end of a link: a sockaddr_ll. */
struct deadzone_peer {
    uint8_t bytes[32];
    uint32_t length;
};

/* IPv4 packets for other machines that reach this one on a device of the caller's network; of none in particular, only to see whether
   it can be. 0, or an error number. */
int deadzone_gateway_open(const char *device, int *fd);
/* The length of the next packet, or -1; who has sent it. */
long deadzone_gateway_read(int fd, void *bytes, size_t room, struct deadzone_peer *from);
void deadzone_gateway_write(int fd, const void *bytes, size_t length, struct deadzone_peer *to);
/* An address, in network byte order, is one of this machine's. */
int deadzone_is_own(uint32_t address);

/* What a program will say: the near end does not block. 0, or an error number. */
int deadzone_pipe(int *near_end, int *far_end);
/* poll(2) to the nanosecond, as far as the kernel can. */
struct pollfd;
int deadzone_wait(struct pollfd *polled, int count, int64_t nanoseconds);

/* A command of the user's outside of all namespaces, by /bin/sh. It and every process that it has started end with deadzone.
   When its shell ends, a deadzone_command_end is written to `report`, the far end of a pipe. 0, or -1. */
int deadzone_run_outside(const char *command, int32_t number, int report);
struct deadzone_command_end {
    /* As given to deadzone_run_outside. */
    int32_t number;
    /* As of waitpid(2). */
    int32_t status;
};
/* The next command that has ended, from the near end of the pipe: 1, or 0 if there is none. */
int deadzone_next_command_end(int near_end, struct deadzone_command_end *end);

#endif
