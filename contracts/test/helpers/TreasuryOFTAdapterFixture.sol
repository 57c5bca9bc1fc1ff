// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OptionsBuilder} from "@layerzerolabs/oapp-evm/contracts/oapp/libs/OptionsBuilder.sol";
import {
    MessagingFee,
    MessagingReceipt,
    OFTReceipt,
    SendParam
} from "@layerzerolabs/oft-evm/contracts/interfaces/IOFT.sol";
import {TestHelperOz5} from "@layerzerolabs/test-devtools-evm-foundry/contracts/TestHelperOz5.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryOFTAdapter} from "src/bridge/TreasuryOFTAdapter.sol";

/// @title TreasuryOFTAdapterFixture
/// @notice Two LayerZero endpoints with their message libraries, a treasury token behind its proxy and an adapter at
/// each, and a holder at the first.
abstract contract TreasuryOFTAdapterFixture is TestHelperOz5 {
    using OptionsBuilder for bytes;

    struct Side {
        uint32 eid;
        Treasury treasury;
        TreasuryOFTAdapter adapter;
    }

    /// Least amount that a message can carry: 1e-6 of a token.
    uint256 internal constant UNIT = 1e12;
    uint256 internal constant SUPPLY = 1_000_000e18;
    uint128 internal constant RECEIVE_GAS = 200_000;

    Side internal home;
    Side internal away;
    address internal admin = makeAddr("admin");
    address internal holder = makeAddr("holder");
    address internal receiver = makeAddr("receiver");

    function setUp() public virtual override {
        super.setUp();
        setUpEndpoints(2, LibraryType.UltraLightNode);
        home = _deploySide(1);
        away = _deploySide(2);
        address[] memory adapters = new address[](2);
        (adapters[0], adapters[1]) = (address(home.adapter), address(away.adapter));
        wireOApps(adapters);

        vm.startPrank(admin);
        home.treasury.grantRole(home.treasury.MINTER_ROLE(), admin);
        home.treasury.addToWhitelist(holder);
        home.treasury.mint(holder, SUPPLY);
        vm.stopPrank();
        _approve(home, holder);
        _approve(away, receiver);
        vm.deal(holder, 1_000 ether);
        vm.deal(receiver, 1_000 ether);
    }

    function _deploySide(uint32 eid) private returns (Side memory side) {
        bytes memory init = abi.encodeCall(Treasury.initialize, ("Treasury", "TRSY", admin));
        side.eid = eid;
        side.treasury = Treasury(address(new ERC1967Proxy(address(new Treasury()), init)));
        side.adapter = new TreasuryOFTAdapter(address(side.treasury), endpoints[eid], address(this));
        vm.startPrank(admin);
        side.treasury.addBridge(address(side.adapter));
        side.treasury.grantRole(side.treasury.WHITELISTER_ROLE(), admin);
        side.treasury.grantRole(side.treasury.BLACKLISTER_ROLE(), admin);
        side.treasury.grantRole(side.treasury.PAUSER_ROLE(), admin);
        vm.stopPrank();
    }

    function _approve(Side memory side, address owner) internal {
        vm.prank(owner);
        side.treasury.approve(address(side.adapter), type(uint256).max);
    }

    function _param(Side memory to, address account, uint256 amount) internal pure returns (SendParam memory param) {
        param.dstEid = to.eid;
        param.to = bytes32(uint256(uint160(account)));
        param.amountLD = amount;
        param.extraOptions = OptionsBuilder.newOptions().addExecutorLzReceiveOption(RECEIVE_GAS, 0);
    }

    /// Sends, and leaves the packet in the helper's queue.
    function _send(Side memory from, address sender, SendParam memory param)
        internal
        returns (MessagingReceipt memory messaging, OFTReceipt memory receipt)
    {
        MessagingFee memory fee = from.adapter.quoteSend(param, false);
        vm.prank(sender);
        return from.adapter.send{value: fee.nativeFee}(param, fee, sender);
    }

    /// Verifies and delivers all packets in transit to a side.
    function _deliver(Side memory to) internal {
        verifyPackets(to.eid, address(to.adapter));
    }

    function _blacklist(Side memory side, address account) internal {
        vm.prank(admin);
        side.treasury.addToBlacklist(account);
    }

    function _pause(Side memory side) internal {
        vm.prank(admin);
        side.treasury.pause();
    }
}
